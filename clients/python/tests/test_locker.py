import base64
import hashlib
import json
import time
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from locker import AuthenticatedClient, models
from locker.api.locker import (
    download_part,
    get_catalogue,
    get_export_manifest,
    list_export_parts,
    list_subscriptions,
    queue_model_test,
    read_operation,
)
from locker.types import UNSET, File, Unset


def test_the_catalogue_and_the_subscriptions_are_read_page_by_page(locker_client: AuthenticatedClient) -> None:
    catalogue = get_catalogue.sync(client=locker_client)
    assert catalogue is not None and not isinstance(catalogue, models.ErrorBody)
    ids: set[str] = set()
    cursor: str | Unset | None = UNSET
    while cursor is not None:
        page = list_subscriptions.sync(client=locker_client, limit=2, cursor=cursor)
        assert page is not None and not isinstance(page, models.ErrorBody)
        assert all(isinstance(subscription, models.Subscription) for subscription in page.data)
        ids.update(subscription.id for subscription in page.data)
        cursor = page.meta.next_cursor or None
    assert len(ids) > 2


def test_the_parts_of_an_export_are_downloaded_as_its_manifest_says(
    locker_client: AuthenticatedClient, stack: dict[str, Any]
) -> None:
    export = stack["samples"]["locker"]["export_id"]
    envelope = get_export_manifest.sync(export, client=locker_client)
    assert isinstance(envelope, models.DsseEnvelope)
    manifest = json.loads(base64.b64decode(envelope.payload))
    whole = hashlib.sha256()
    cursor: int | None = 0
    while cursor is not None:
        listing = list_export_parts.sync(export, client=locker_client, cursor=cursor)
        assert listing is not None and not isinstance(listing, models.ErrorBody)
        for part in listing.data.parts:
            token = urlsplit(part.download.url).path.removeprefix("/downloads/")
            downloaded = download_part.sync(token, client=locker_client)
            assert isinstance(downloaded, File)
            content = downloaded.payload.read()
            assert hashlib.sha256(content).hexdigest() == part.sha256
            whole.update(content)
        cursor = listing.data.next_cursor
    assert whole.hexdigest() == manifest["sha256"]


def test_a_model_test_is_queued_and_polled(locker_client: AuthenticatedClient, stack: dict[str, Any]) -> None:
    rooms = stack["samples"]["locker"]
    key = str(uuid4())
    refused = queue_model_test.sync(rooms["room_without_model_id"], client=locker_client, idempotency_key=key)
    assert isinstance(refused, models.ErrorBody)
    assert isinstance(refused.error.next_action, models.NextActionContactSupport)

    queued = queue_model_test.sync(rooms["room_id"], client=locker_client, idempotency_key=key)
    while isinstance(queued, models.ErrorBody):
        # Only one test may run at a time, and another client may have started one.
        assert isinstance(queued.error.next_action, models.NextActionPoll)
        time.sleep(queued.error.next_action.after_seconds)
        queued = queue_model_test.sync(rooms["room_id"], client=locker_client, idempotency_key=key)
    assert queued is not None
    operation = read_operation.sync(queued.data.operation_id, client=locker_client)
    assert operation is not None and not isinstance(operation, models.ErrorBody)
    assert operation.data.room_id == rooms["room_id"]
