import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import type { components } from "../generated/cloud.js";
import { cloud, refused, stack, succeeded } from "./stack.js";

/** The text of a block; the compiler knows which type has which members. */
function text(block: components["schemas"]["Block"]): string {
    const join = (segments: components["schemas"]["Segment"][]) => segments.map((segment) => segment.text).join("");
    switch (block.type) {
        case "table":
            return block.rows.map((row) => row.map(join).join("|")).join("\n");
        case "divider":
            return "---";
        default:
            return join(block.segments);
    }
}

test("the service tells what it is, and the grant's workspace is listed", async () => {
    const service = succeeded(await cloud.GET("/v1/service"));
    assert.equal(service.schema, "service/service/v1");
    const { workspaces, actor } = succeeded(await cloud.GET("/v1/workspaces"));
    assert.equal(workspaces.length, 1);
    assert.equal(actor.type, "user");
});

test("a document is created once and read with its blocks", async () => {
    const command = {
        params: { header: { "Idempotency-Key": randomUUID() } },
        body: {
            name: "Minutes",
            content: {
                kind: "docs" as const,
                blocks: [
                    { type: "heading1" as const, segments: [{ text: "Minutes" }] },
                    { type: "divider" as const, segments: [] },
                    { type: "table" as const, segments: [], rows: [[[{ text: "Begin" }], [{ text: "9:30" }]]] },
                ],
            },
        },
    };
    const first = succeeded(await cloud.POST("/v1/documents", command));
    const again = succeeded(await cloud.POST("/v1/documents", command));
    assert.equal(again.file.id, first.file.id);
    assert.equal(again.replayed, true);

    const path = { file_id: first.file.id };
    const read = succeeded(await cloud.GET("/v1/documents/{file_id}", { params: { path } }));
    assert.deepEqual(read.content?.blocks.map(text), ["Minutes", "---", "Begin|9:30"]);

    const header = { "If-None-Match": read.file.etag };
    const { response } = await cloud.GET("/v1/documents/{file_id}", { params: { path, header } });
    assert.equal(response.status, 304);

    const key = command.params.header["Idempotency-Key"];
    const known = succeeded(await cloud.GET("/v1/idempotency/{key}", { params: { path: { key } } }));
    assert.equal(known.commands[0]?.operation, "create_document");
});

test("a refusal says what to correct, and its type tells which members it has", async () => {
    const { error } = refused(
        await cloud.POST("/v1/documents", { params: { header: { "Idempotency-Key": randomUUID() } }, body: { name: "a/b" } }),
    );
    assert.equal(error.code, "invalid_field");
    assert.ok(error.next_action.type === "correct_request");
    assert.equal(error.next_action.problems[0]?.at, "/name");
});

test("the sample document is there", async () => {
    const path = { file_id: stack.samples.cloud.document_id };
    assert.equal(succeeded(await cloud.GET("/v1/documents/{file_id}", { params: { path } })).content_is_untrusted, true);
});
