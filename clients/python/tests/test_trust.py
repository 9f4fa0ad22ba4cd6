import base64
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from trust import Client, models
from trust.api.trust import publish_event, read_event, read_market


def hash_of(event: Any) -> str:
    return "sha256:" + hashlib.sha256(rfc8785.dumps(event)).hexdigest()


def signed_text(stack: dict[str, Any]) -> str:
    """A signed body from a file that another program wrote, with every kind of JSON value."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    event = (
        '{"venue": null, "revision": 1, "kind": "market.listed", "schema": "service/market-event/v1", '
        f'"market_id": "mkt_{uuid4().hex}", "event_id": "evt_{uuid4().hex}", "prev_event_hash": null, '
        f'"issued_at": "{now}", "data": {{"odds": [1.0, 1.50, 1e2, -0.0, 9007199254740991], '
        '"title": "Grüße \\u20ac", "none": null, "empty": {}}}'
    )
    event_hash = hash_of(json.loads(event))
    signer = stack["signer"]
    key = load_pem_private_key(Path(signer["signing_key_file"]).read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    base_url = stack["surfaces"]["trust"]["base_url"]
    text = f"service-trust/publish/v1\n{base_url}\n{signer['key_id']}\n{event_hash}\n"
    signature = base64.b64encode(key.sign(text.encode())).decode()
    return (
        f'{{"event": {event}, "event_hash": "{event_hash}", '
        f'"signer_key_id": "{signer["key_id"]}", "signature": "{signature}"}}'
    )


def test_a_signed_body_survives_the_client(trust_client: Client, stack: dict[str, Any]) -> None:
    body = models.Publication.from_dict(json.loads(signed_text(stack)))
    published = publish_event.sync(client=trust_client, body=body)
    assert published is not None and not isinstance(published, models.ErrorBody), published
    assert published.data.event_hash == body.event_hash

    read = read_event.sync(body.event_hash, client=trust_client)
    assert read is not None and not isinstance(read, models.ErrorBody)
    assert hash_of(read.data.event.to_dict()) == body.event_hash
    assert read.data.signature == body.signature

    market = read_market.sync(body.event.market_id, client=trust_client)
    assert market is not None and not isinstance(market, models.ErrorBody)
    assert market.data.state == models.MarketState.LISTED

    refused = publish_event.sync(client=trust_client, body=body)
    assert isinstance(refused, models.ErrorBody)
    assert isinstance(refused.error.next_action, models.NextActionUseReceipt)
