from typing import Any
from uuid import uuid4

from cloud import AuthenticatedClient, models
from cloud.api.cloud import (
    apply_document_edit,
    apply_spreadsheet_edit,
    approve_edit_plan,
    create_comment,
    create_document,
    create_folder,
    create_spreadsheet,
    get_document,
    get_range,
    list_comments,
    list_files,
    move_file,
    propose_file_edit,
    rebase_edit_plan,
    request_plan_review,
    resolve_comment,
    restore_version,
    search_files,
)


def key() -> str:
    return str(uuid4())


def document(client: AuthenticatedClient, name: str) -> models.FileRecord:
    """A new document with one block, `b1`."""
    block = models.TextBlock(id="b1", type_=models.TextBlockType.PARAGRAPH, segments=[models.Segment(text="Begin at 9:30.")])
    content = models.DocumentContent(kind=models.DocumentKind.DOCS, blocks=[block])
    made = create_document.sync(client=client, body=models.CreateDocument(name=name, content=content), idempotency_key=key())
    assert isinstance(made, models.FileAnswer)
    return made.file


def replaced(find: str, replace: str) -> models.ReplaceTextInBlock:
    return models.ReplaceTextInBlock(op=models.ReplaceTextInBlockOp.REPLACE_TEXT, block_id="b1", find=find, replace=replace, expected_count=1)


def appended(text: str) -> models.InsertBlock:
    block = models.TextBlock(type_=models.TextBlockType.PARAGRAPH, segments=[models.Segment(text=text)])
    return models.InsertBlock(op=models.InsertBlockOp.INSERT_BLOCK, block=block)


def propose(client: AuthenticatedClient, file: models.FileRecord, *operations: Any) -> models.PlanRecord:
    body = models.ProposeEditPlan(operations=list(operations))
    made = propose_file_edit.sync(file.id, client=client, body=body, idempotency_key=key(), if_match=file.etag)
    assert isinstance(made, models.NewPlanAnswer)
    return made.plan


def texts(client: AuthenticatedClient, file: models.FileRecord) -> list[str]:
    read = get_document.sync(file.id, client=client)
    assert isinstance(read, models.DocumentAnswer)
    assert isinstance(read.content, models.DocumentContent)
    return ["".join(segment.text for segment in block.segments) for block in read.content.blocks]


def test_an_edit_is_previewed_applied_once_and_undone(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, "Agenda")
    plan = propose(cloud_client, file, replaced("9:30", "10:00"), appended("End at 11:00."))
    assert plan.state == models.PlanState.PROPOSED and not plan.stale
    assert texts(cloud_client, file) == ["Begin at 9:30."]

    once = key()
    applied, again = (
        apply_document_edit.sync(
            file.id, plan.id, client=cloud_client, body=models.Empty(), idempotency_key=once, if_match=file.etag
        )
        for _ in range(2)
    )
    assert isinstance(applied, models.ApplyAnswer) and isinstance(applied.undo, models.Undo)
    assert isinstance(again, models.ApplyAnswer) and again.replayed and again.file == applied.file
    assert texts(cloud_client, file) == ["Begin at 10:00.", "End at 11:00."]

    undone = restore_version.sync(
        file.id,
        plan.base_version_id,
        client=cloud_client,
        body=models.Empty(),
        idempotency_key=key(),
        if_match=applied.undo.if_match,
    )
    assert isinstance(undone, models.FileAnswer) and undone.file.etag != file.etag
    assert texts(cloud_client, file) == ["Begin at 9:30."]


def test_a_stale_plan_is_rebased_as_its_refusal_says(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, "Two editors")
    first, second = (propose(cloud_client, file, edit) for edit in (appended("Mine."), replaced("9:30", "8:00")))
    applied = apply_document_edit.sync(
        file.id, first.id, client=cloud_client, body=models.Empty(), idempotency_key=key(), if_match=file.etag
    )
    assert isinstance(applied, models.ApplyAnswer)
    etag = applied.file.etag
    stale = apply_document_edit.sync(
        file.id, second.id, client=cloud_client, body=models.Empty(), idempotency_key=key(), if_match=etag
    )
    assert isinstance(stale, models.ErrorBody) and stale.error.code == "plan_stale"
    action = stale.error.next_action
    assert isinstance(action, models.NextActionRebase) and isinstance(action.etag, str)
    rebased = rebase_edit_plan.sync(
        file.id, second.id, client=cloud_client, body=models.Empty(), idempotency_key=key(), if_match=action.etag
    )
    assert isinstance(rebased, models.NewPlanAnswer)
    again = apply_document_edit.sync(
        file.id, rebased.plan.id, client=cloud_client, body=models.Empty(), idempotency_key=key(), if_match=etag
    )
    assert isinstance(again, models.ApplyAnswer)
    assert texts(cloud_client, file) == ["Begin at 8:00.", "Mine."]


def test_an_approval_is_somebody_else_s(cloud_client: AuthenticatedClient, other_member: AuthenticatedClient) -> None:
    file = document(cloud_client, "For review")
    plan = propose(cloud_client, file, appended("Agreed."))
    asked = request_plan_review.sync(
        file.id, plan.id, client=cloud_client, body=models.RequestReview(note="Is it?"), idempotency_key=key()
    )
    assert isinstance(asked, models.PlanAnswer) and asked.plan.state == models.PlanState.IN_REVIEW
    own = approve_edit_plan.sync(file.id, plan.id, client=cloud_client, body=models.Empty(), idempotency_key=key())
    assert isinstance(own, models.ErrorBody) and own.error.code == "self_approval"
    approved = approve_edit_plan.sync(file.id, plan.id, client=other_member, body=models.Empty(), idempotency_key=key())
    assert isinstance(approved, models.PlanAnswer) and isinstance(approved.plan.review, models.Review)
    assert approved.plan.review.verdict == models.Verdict.APPROVED


def test_a_budget_is_edited_by_cells_and_its_formulas_are_guarded(cloud_client: AuthenticatedClient) -> None:
    sheet = models.Sheet(name="Budget", cells=[["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]])
    content = models.SpreadsheetContent(kind=models.SpreadsheetKind.SHEETS, sheets=[sheet])
    body = models.CreateSpreadsheet(name="Budget", content=content)
    made = create_spreadsheet.sync(client=cloud_client, body=body, idempotency_key=key())
    assert isinstance(made, models.FileAnswer)
    file = made.file
    plan = propose(cloud_client, file, models.SetCells(op=models.SetCellsOp.SET_CELLS, sheet="Budget", range_="B1", values=[["950"]]))
    assert plan.summary.cells_changed == 1
    applied = apply_spreadsheet_edit.sync(
        file.id, plan.id, client=cloud_client, body=models.Empty(), idempotency_key=key(), if_match=file.etag
    )
    assert isinstance(applied, models.ApplyAnswer)
    read = get_range.sync(file.id, client=cloud_client, sheet="Budget", range_="B1:B3")
    assert isinstance(read, models.RangeAnswer)
    assert [row[0].value for row in read.range_.rows] == ["950", "250", "=SUM(B1:B2)"]

    forbidden = models.SetCells(op=models.SetCellsOp.SET_CELLS, sheet="Budget", range_="A4", values=[['=WEBSERVICE("https://example.com")']])
    refused = propose_file_edit.sync(
        file.id,
        client=cloud_client,
        body=models.ProposeEditPlan(operations=[forbidden]),
        idempotency_key=key(),
        if_match=applied.file.etag,
    )
    assert isinstance(refused, models.ErrorBody) and refused.error.code == "formula_not_allowed"


def test_a_comment_is_written_listed_and_resolved(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, "Discussed")
    body = models.CreateComment(text="Why so early?", anchor=models.Anchor(block_id="b1"))
    made = create_comment.sync(file.id, client=cloud_client, body=body, idempotency_key=key())
    assert isinstance(made, models.CommentAnswer)
    resolved = resolve_comment.sync(
        file.id,
        made.comment.id,
        client=cloud_client,
        body=models.Empty(),
        idempotency_key=key(),
        if_match=made.comment.etag,
    )
    assert isinstance(resolved, models.CommentAnswer) and resolved.comment.resolved_at is not None
    listed = list_comments.sync(file.id, client=cloud_client)
    assert isinstance(listed, models.CommentList)
    assert [comment.status for comment in listed.items] == [models.CommentStatus.RESOLVED] and listed.orphaned == []


def test_a_file_is_found_where_it_is_moved_to(cloud_client: AuthenticatedClient) -> None:
    mark = key()
    file = document(cloud_client, f"Found {mark}")
    folder = create_folder.sync(client=cloud_client, body=models.CreateFolder(name="Here"), idempotency_key=key())
    assert isinstance(folder, models.FileAnswer)
    moved = move_file.sync(
        file.id,
        client=cloud_client,
        body=models.MoveFile(parent_id=folder.file.id),
        idempotency_key=key(),
        if_match=file.etag,
    )
    assert isinstance(moved, models.FileAnswer)
    found = search_files.sync(client=cloud_client, name_contains=mark, parent_id=folder.file.id)
    listed = list_files.sync(client=cloud_client, parent_id=folder.file.id)
    for page in (found, listed):
        assert isinstance(page, models.FileList)
        assert [item.id for item in page.items] == [file.id] and not page.has_more
