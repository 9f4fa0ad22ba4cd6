import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import type { components } from "../generated/cloud.js";
import { bob, cloud, refused, stack, succeeded } from "./stack.js";

type File = components["schemas"]["FileRecord"];
type Operation = components["schemas"]["Operation"];

const key = () => ({ "Idempotency-Key": randomUUID() });

/** A new document with one block, `b1`. */
async function document(name: string): Promise<File> {
    const block = { id: "b1", type: "paragraph" as const, segments: [{ text: "Begin at 9:30." }] };
    const body = { name, content: { kind: "docs" as const, blocks: [block] } };
    return succeeded(await cloud.POST("/v1/documents", { params: { header: key() }, body })).file;
}

async function propose(file: File, operations: Operation[]) {
    const params = { path: { file_id: file.id }, header: { ...key(), "If-Match": file.etag } };
    return succeeded(await cloud.POST("/v1/files/{file_id}/edit-plans", { params, body: { operations } })).plan;
}

function apply(file: File, plan: string) {
    const params = { path: { file_id: file.id, plan_id: plan }, header: { ...key(), "If-Match": file.etag } };
    return cloud.POST("/v1/documents/{file_id}/edit-plans/{plan_id}/apply", { params, body: {} });
}

async function texts(file: File): Promise<string[]> {
    const params = { path: { file_id: file.id } };
    const { content } = succeeded(await cloud.GET("/v1/documents/{file_id}", { params }));
    assert.ok(content);
    return content.blocks.map((block) => block.segments.map((segment) => segment.text).join(""));
}

test("an edit is previewed, applied and undone", async () => {
    const file = await document("Agenda");
    const plan = await propose(file, [
        { op: "replace_text", block_id: "b1", find: "9:30", replace: "10:00", expected_count: 1 },
        { op: "insert_block", block: { type: "paragraph", segments: [{ text: "End at 11:00." }] } },
    ]);
    assert.deepEqual([plan.state, plan.stale, plan.changes?.map((change) => change.kind)], ["proposed", false, ["replace", "insert"]]);
    assert.deepEqual(await texts(file), ["Begin at 9:30."], "a plan changes nothing");

    const applied = succeeded(await apply(file, plan.id));
    assert.deepEqual(await texts(file), ["Begin at 10:00.", "End at 11:00."]);

    assert.ok(applied.undo !== null);
    const header = { ...key(), "If-Match": applied.undo.if_match };
    const version = plan.base_version_id;
    assert.equal(new URL(applied.undo.url).pathname, `/v1/files/${file.id}/versions/${version}/restore`);
    const path = { file_id: file.id, version_id: version };
    const restored = await cloud.POST("/v1/files/{file_id}/versions/{version_id}/restore", { params: { path, header }, body: {} });
    assert.notEqual(succeeded(restored).file.etag, file.etag, "the same content is another state");
    assert.deepEqual(await texts(file), ["Begin at 9:30."]);
});

test("a stale plan leads to its rebase, which can be applied", async () => {
    const file = await document("Two editors");
    const append = (text: string): Operation => ({ op: "insert_block", block: { type: "paragraph", segments: [{ text }] } });
    const [first, second] = [
        await propose(file, [append("Mine.")]),
        await propose(file, [{ op: "replace_text", block_id: "b1", find: "9:30", replace: "8:00", expected_count: 1 }]),
    ];
    const changed = succeeded(await apply(file, first.id)).file;
    const { error } = refused(await apply(changed, second.id));
    assert.equal(error.code, "plan_stale");
    assert.ok(error.next_action.type === "rebase" && error.next_action.etag !== undefined && error.next_action.etag !== null);
    assert.ok(error.next_action.href.endsWith(`/v1/files/${file.id}/edit-plans/${second.id}/rebase`));

    const params = {
        path: { file_id: file.id, plan_id: second.id },
        header: { ...key(), "If-Match": error.next_action.etag },
    };
    const rebased = succeeded(await cloud.POST("/v1/files/{file_id}/edit-plans/{plan_id}/rebase", { params, body: {} }));
    succeeded(await apply(changed, rebased.plan.id));
    assert.deepEqual(await texts(file), ["Begin at 8:00.", "Mine."]);
});

test("a review is asked for, given by somebody else, and lets the plan be applied", async () => {
    const file = await document("For review");
    const plan = await propose(file, [{ op: "delete_block", block_id: "b1" }, { op: "insert_block", block: { type: "divider", segments: [] } }]);
    const step = () => ({ path: { file_id: file.id, plan_id: plan.id }, header: key() });
    const asked = await cloud.POST("/v1/files/{file_id}/edit-plans/{plan_id}/request-review", {
        params: step(),
        body: { note: "Is it gone for good?" },
    });
    assert.equal(succeeded(asked).plan.state, "in_review");
    assert.equal(refused(await apply(file, plan.id)).error.code, "approval_required");
    const own = await cloud.POST("/v1/files/{file_id}/edit-plans/{plan_id}/approve", { params: step(), body: {} });
    assert.equal(refused(own).error.code, "self_approval");
    const approved = await bob.POST("/v1/files/{file_id}/edit-plans/{plan_id}/approve", { params: step(), body: {} });
    assert.equal(succeeded(approved).plan.review?.verdict, "approved");
    assert.equal(succeeded(await apply(file, plan.id)).plan.state, "applied");
});

test("a comment is written, resolved by its author alone, and found orphaned when its block is gone", async () => {
    const file = await document("Discussed");
    const path = { file_id: file.id };
    const body = { text: "Why so early?", anchor: { block_id: "b1" } };
    const { comment } = succeeded(await cloud.POST("/v1/files/{file_id}/comments", { params: { path, header: key() }, body }));
    const block = { type: "paragraph" as const, segments: [] };
    const plan = await propose(file, [{ op: "insert_block", block }, { op: "delete_block", block_id: "b1" }]);
    assert.ok(plan.warnings.some((warning) => warning.code === "comment_anchor_lost"));

    const resolve = () => ({
        params: { path: { ...path, comment_id: comment.id }, header: { ...key(), "If-Match": comment.etag } },
        body: {},
    });
    const resource = "/v1/files/{file_id}/comments/{comment_id}/resolve";
    assert.equal(refused(await bob.POST(resource, resolve())).error.code, "not_comment_author");
    assert.notEqual(succeeded(await cloud.POST(resource, resolve())).comment.resolved_at, null);
    succeeded(await apply(file, plan.id));
    const listed = succeeded(await cloud.GET("/v1/files/{file_id}/comments", { params: { path, query: { status: "resolved" } } }));
    assert.deepEqual(listed.orphaned, [comment.id]);
});

test("a budget is read by range and edited by cells", async () => {
    const path = { file_id: stack.samples.cloud.spreadsheet_id };
    const query = { sheet: "Budget", range: "A1:B2" };
    const { file, range } = succeeded(await cloud.GET("/v1/spreadsheets/{file_id}/range", { params: { path, query } }));
    assert.deepEqual(range.rows[0]?.map((cell) => cell.cell), ["A1", "B1"]);
    const operations: Operation[] = [{ op: "set_cells", sheet: "Budget", range: "B2", values: [["=WEBSERVICE(A1)"]] }];
    const params = { path, header: { ...key(), "If-Match": file.etag } };
    const { error } = refused(await cloud.POST("/v1/files/{file_id}/edit-plans", { params, body: { operations } }));
    assert.equal(error.code, "formula_not_allowed");
    assert.ok(error.next_action.type === "correct_request");
    assert.equal(error.next_action.problems[0]?.at, "/operations/0/values/0/0");
});

test("files are found by a part of their name, page by page, and moved into the trash", async () => {
    const mark = randomUUID();
    const files = [await document(`First ${mark}`), await document(`Second ${mark}`)];
    const find = (cursor?: string) => cloud.GET("/v1/search", {
        params: { query: { name_contains: mark.toUpperCase(), limit: 1, ...(cursor === undefined ? {} : { cursor }) } },
    });
    const newest = succeeded(await find());
    assert.deepEqual([newest.items[0]?.id, newest.has_more], [files[1]?.id, true]);
    assert.ok(newest.next_cursor !== null);
    assert.equal(succeeded(await find(newest.next_cursor)).items[0]?.id, files[0]?.id);
    for (const { id, etag } of files) {
        const params = { path: { file_id: id }, header: { ...key(), "If-Match": etag } };
        assert.equal(succeeded(await cloud.POST("/v1/files/{file_id}/trash", { params, body: {} })).file.state, "trashed");
    }
    assert.deepEqual(succeeded(await find()).items, []);
});
