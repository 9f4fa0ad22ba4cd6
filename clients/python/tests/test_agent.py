"""examples/agent.py over a faulty network: its work happens exactly once, and it reports the outcome."""

import base64
import json
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import agent
import faulty_proxy
import pytest
from cloud import AuthenticatedClient, models
from cloud.api.cloud import (
    amend_edit_plan,
    apply_document_edit,
    discard_edit_plan,
    list_edit_plans,
    reject_edit_plan,
    request_plan_review,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from faulty_proxy import Fault, FaultyProxy
from test_cloud_edits import appended, document, key, propose, texts

BEGUN = "Begin at 9:30."
ADDED = "Added by an agent."
REPLAYED = " (it had happened already)"


def run(
    client: AuthenticatedClient, file_id: str, *faults: tuple[str, Fault], task: str | None = None, text: str = ADDED
) -> tuple[str, list[str]]:
    """The agent's outcome, and the requests that the proxy saw. Checks that every fault occurred."""
    pending = list(faults)
    with FaultyProxy(client._base_url, pending) as proxy:
        outcome = agent.add_paragraph(agent.Cloud(proxy.url, client.token), file_id, text, task or str(uuid4()))
    assert pending == []
    return outcome, proxy.seen


@pytest.mark.parametrize("fault", ["rate_limited", "unavailable", "no_upstream", "lose_answer", "delay"])
@pytest.mark.parametrize("step", ["/edit-plans", "/apply"])
def test_the_paragraph_is_added_once_through_a_fault(cloud_client: AuthenticatedClient, fault: str, step: str) -> None:
    file = document(cloud_client, f"{fault} {uuid4()}")
    outcome, seen = run(cloud_client, file.id, (step, getattr(faulty_proxy, fault)))
    assert texts(cloud_client, file) == [BEGUN, ADDED]
    assert outcome.startswith("done: plan_")
    assert outcome.endswith(REPLAYED) == (fault == "lose_answer" and step == "/apply")
    assert sum(path.endswith(step) for path in seen) == (1 if fault == "delay" else 2)


def test_a_read_is_sent_again_too(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, f"Read {uuid4()}")
    outcome, _ = run(cloud_client, file.id, (file.id, faulty_proxy.lose_answer), (file.id, faulty_proxy.rate_limited))
    assert outcome.startswith("done: ") and texts(cloud_client, file) == [BEGUN, ADDED]


@pytest.mark.parametrize("step", ["/edit-plans", "/apply"])
def test_somebody_else_is_faster(cloud_client: AuthenticatedClient, other_member: AuthenticatedClient, step: str) -> None:
    file = document(cloud_client, f"Stale {uuid4()}")

    def edit() -> None:
        theirs = propose(other_member, file, appended("Bob's."))
        other = agent.Cloud(other_member._base_url, other_member.token)
        other.command(theirs.apply_url, {}, str(uuid4()), file.etag)

    task = str(uuid4())
    outcome, seen = run(cloud_client, file.id, (step, faulty_proxy.before(edit)), task=task)
    assert outcome.startswith("done: ") and texts(cloud_client, file) == [BEGUN, "Bob's.", ADDED]
    assert any(path.endswith("/rebase") for path in seen) == (step == "/apply")
    again, _ = run(cloud_client, file.id, task=task)
    assert again == outcome + REPLAYED and texts(cloud_client, file) == [BEGUN, "Bob's.", ADDED]


def test_a_plan_that_expired_is_proposed_anew(cloud_client: AuthenticatedClient, stack: dict[str, Any]) -> None:
    file = document(cloud_client, f"Expired {uuid4()}")
    kind, _, path = stack["surfaces"]["cloud"]["database_url"].partition(":")
    if kind != "sqlite":
        pytest.skip("plans are aged in an SQLite database only")

    def age() -> None:
        line = sqlite3.connect(f"file:{quote(path)}?mode=rw", uri=True, timeout=10)
        with line:
            line.execute("UPDATE edit_plans SET expires_at = created_at WHERE file_id = ?", (int(file.id.removeprefix("file_")),))
        line.close()

    outcome, seen = run(cloud_client, file.id, ("/apply", faulty_proxy.before(age)))
    assert outcome.startswith("done: ") and texts(cloud_client, file) == [BEGUN, ADDED]
    assert any(path.endswith("/rebase") for path in seen)


def only_plan(client: AuthenticatedClient, file: models.FileRecord) -> models.PlanRecord:
    listed = list_edit_plans.sync(file.id, client=client)
    assert isinstance(listed, models.PlanList)
    [plan] = listed.items
    return plan


def test_a_plan_that_its_owner_discarded_is_proposed_anew(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, f"Discarded {uuid4()}")

    def discard() -> None:
        plan = only_plan(cloud_client, file)
        done = discard_edit_plan.sync(file.id, plan.id, client=cloud_client, body=models.Empty(), idempotency_key=key())
        assert isinstance(done, models.PlanAnswer)

    task = str(uuid4())
    outcome, seen = run(cloud_client, file.id, ("/apply", faulty_proxy.before(discard)), task=task)
    assert outcome.startswith("done: plan_") and texts(cloud_client, file) == [BEGUN, ADDED]
    assert sum(path.endswith("/edit-plans") for path in seen) == 2
    again, _ = run(cloud_client, file.id, task=task)
    assert again == outcome + REPLAYED and texts(cloud_client, file) == [BEGUN, ADDED]


def test_a_plan_that_somebody_amended_is_applied_as_amended(
    cloud_client: AuthenticatedClient, other_member: AuthenticatedClient
) -> None:
    file = document(cloud_client, f"Amended {uuid4()}")

    def amend() -> None:
        body = models.AmendPlan(operations=[appended("Bob's.")])
        plan = only_plan(other_member, file)
        done = amend_edit_plan.sync(file.id, plan.id, client=other_member, body=body, idempotency_key=key())
        assert isinstance(done, models.NewPlanAnswer)

    outcome, _ = run(cloud_client, file.id, ("/apply", faulty_proxy.before(amend)))
    assert outcome.startswith("done: plan_") and texts(cloud_client, file) == [BEGUN, ADDED, "Bob's."]


def test_a_plan_that_somebody_applied_is_done(cloud_client: AuthenticatedClient, other_member: AuthenticatedClient) -> None:
    file = document(cloud_client, f"Applied {uuid4()}")

    def apply() -> None:
        plan = only_plan(other_member, file)
        done = apply_document_edit.sync(
            file.id, plan.id, client=other_member, body=models.Empty(), idempotency_key=key(), if_match=file.etag
        )
        assert isinstance(done, models.ApplyAnswer)

    outcome, _ = run(cloud_client, file.id, ("/apply", faulty_proxy.before(apply)))
    assert outcome == "done: it had been applied already" and texts(cloud_client, file) == [BEGUN, ADDED]


def test_a_plan_that_somebody_rejected_is_not_proposed_again(
    cloud_client: AuthenticatedClient, other_member: AuthenticatedClient
) -> None:
    file = document(cloud_client, f"Rejected {uuid4()}")

    def reject() -> None:
        plan = only_plan(other_member, file)
        request_plan_review.sync(file.id, plan.id, client=cloud_client, body=models.RequestReview(), idempotency_key=key())
        body = models.RejectPlan(reason="Not here.")
        done = reject_edit_plan.sync(file.id, plan.id, client=other_member, body=body, idempotency_key=key())
        assert isinstance(done, models.PlanAnswer)

    outcome, seen = run(cloud_client, file.id, ("/apply", faulty_proxy.before(reject)))
    assert outcome.startswith("stopped: ") and "(plan_rejected, req_" in outcome
    assert texts(cloud_client, file) == [BEGUN] and sum(path.endswith("/edit-plans") for path in seen) == 1


def test_a_plan_with_a_grave_warning_is_for_people(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, f"Warned {uuid4()}")
    outcome, _ = run(cloud_client, file.id, text="See \u202etxt.exe")
    assert outcome.startswith("stopped: a person should look at plan_") and "hidden_characters_added" in outcome
    assert texts(cloud_client, file) == [BEGUN]


def test_a_missing_scope_is_named(cloud_client: AuthenticatedClient, stack: dict[str, Any]) -> None:
    file = document(cloud_client, f"Scope {uuid4()}")
    reader = AuthenticatedClient(cloud_client._base_url, with_scope(stack, cloud_client.token, "cloud.read"))
    assert run(reader, file.id)[0] == "stopped: this token lacks the scope cloud.propose"
    assert texts(cloud_client, file) == [BEGUN]


def test_what_it_cannot_mend_is_for_people(cloud_client: AuthenticatedClient) -> None:
    outcome, _ = run(cloud_client, "file_999999999")
    assert outcome.startswith("stopped: ") and "(not_found, req_" in outcome


def with_scope(stack: dict[str, Any], token: str, scope: str) -> str:
    """The same token, with another scope and access grant, signed by the stack's issuer."""
    key = load_pem_private_key(Path(stack["issuer"]["signing_key_file"]).read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    header, claims, _ = token.split(".")
    said = json.loads(base64.urlsafe_b64decode(claims + "=="))
    said |= {"scope": scope, "grant_id": f"grant_{uuid4().hex}", "jti": f"jti_{uuid4().hex}"}
    signed = f"{header}.{base64url(json.dumps(said).encode())}"
    return f"{signed}.{base64url(key.sign(signed.encode()))}"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
