from typing import Any
from uuid import uuid4

from cloud import AuthenticatedClient, models
from cloud.api.cloud import create_document, get_document, get_service, list_workspaces, read_command


def test_the_service_tells_what_it_is_and_lists_the_workspace(cloud_client: AuthenticatedClient) -> None:
    service = get_service.sync(client=cloud_client)
    assert isinstance(service, models.ServiceInformation)
    listed = list_workspaces.sync(client=cloud_client)
    assert isinstance(listed, models.WorkspacesAnswer)
    assert len(listed.workspaces) == 1


def test_a_document_is_created_once_and_read_with_its_blocks(cloud_client: AuthenticatedClient) -> None:
    key = str(uuid4())
    said = [models.Segment(text="Minutes")]
    content = models.DocumentContent(
        kind=models.DocumentKind.DOCS,
        blocks=[
            models.TextBlock(type_=models.TextBlockType.HEADING1, segments=said),
            models.DividerBlock(type_=models.DividerBlockType.DIVIDER, segments=[]),
            models.TableBlock(type_=models.TableBlockType.TABLE, segments=[], rows=[[said, said]]),
        ],
    )
    body = models.CreateDocument(name="Minutes", content=content)
    first = create_document.sync(client=cloud_client, body=body, idempotency_key=key)
    again = create_document.sync(client=cloud_client, body=body, idempotency_key=key)
    assert isinstance(first, models.FileAnswer) and isinstance(again, models.FileAnswer)
    assert again.replayed is True and again.file.id == first.file.id

    read = get_document.sync(first.file.id, client=cloud_client)
    assert isinstance(read, models.DocumentAnswer)
    assert isinstance(read.content, models.DocumentContent)
    assert [type(block) for block in read.content.blocks] == [models.TextBlock, models.DividerBlock, models.TableBlock]

    known = read_command.sync(key, client=cloud_client)
    assert isinstance(known, models.CommandsOfKey)
    assert [command.operation for command in known.commands] == ["create_document"]


def test_a_refusal_says_what_to_correct(cloud_client: AuthenticatedClient) -> None:
    body = models.CreateDocument(name="a/b")
    refused = create_document.sync(client=cloud_client, body=body, idempotency_key=str(uuid4()))
    assert isinstance(refused, models.ErrorBody)
    action = refused.error.next_action
    assert isinstance(action, models.NextActionCorrectRequest)
    assert [problem.at for problem in action.problems] == ["/name"]


def test_the_sample_document_is_there(cloud_client: AuthenticatedClient, stack: dict[str, Any]) -> None:
    read = get_document.sync(stack["samples"]["cloud"]["document_id"], client=cloud_client)
    assert isinstance(read, models.DocumentAnswer)
    assert read.content_is_untrusted
