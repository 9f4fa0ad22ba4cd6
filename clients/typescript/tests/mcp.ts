// The official TypeScript SDK of the Model Context Protocol as an agent's client.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { stack } from "./stack.js";

// Results have no static type; the assertions check them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Answer = any;

async function connected(): Promise<Client> {
    const headers = { authorization: `Bearer ${stack.tokens.cloud.ada}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${stack.surfaces.cloud.base_url}/mcp?structured=true`), { requestInit: { headers } });
    const client = new Client({ name: "tests", version: "1" });
    // The SDK's type does not satisfy exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client;
}

/** The result of a tool, and whether it is an error. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<{ isError: boolean; answer: Answer }> {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(JSON.stringify(result).length <= 48_000, "an answer fits what clients take");
    const structured: Answer = result.structuredContent;
    return { isError: result.isError === true, answer: structured.untrusted ?? structured };
}

async function done(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
    const { isError, answer } = await call(client, name, args);
    assert.ok(!isError, JSON.stringify(answer));
    return answer;
}

const paragraph = (text: string) => ({ type: "paragraph", segments: [{ text }] });

test("the SDK lists, finds, reads page by page, proposes and applies, and meets a stale plan", async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    for (const name of ["search_files", "read_file", "edit_document", "apply_plan", "rebase_plan"]) assert.ok(names.includes(name), name);

    // 750 kB, the limit.
    const name = `Long ${randomUUID()}`;
    const texts = Array.from({ length: 190 }, (_, index) => `${index} ${"word ".repeat(780)}`);
    const blocks = texts.map((text, index) => ({ id: `b${index}`, ...paragraph(text) }));
    const made = await fetch(`${stack.surfaces.cloud.base_url}/v1/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${stack.tokens.cloud.ada}`, "content-type": "application/json", "idempotency-key": randomUUID() },
        body: JSON.stringify({ name, content: { kind: "docs", blocks } }),
    });
    assert.equal(made.status, 200);
    const found = await done(client, "search_files", { name_contains: name });
    const file = found.items[0];

    const read: string[] = [];
    let cursor: string | null | undefined;
    let etag = "";
    do {
        const page = await done(client, "read_file", { file_id: file.id, ...(cursor ? { cursor } : {}) });
        for (const block of page.content.blocks) read.push(block.segments.map((segment: { text: string }) => segment.text).join(""));
        etag = page.file.etag;
        cursor = page.next_cursor;
    } while (cursor);
    assert.deepEqual(read, texts);

    const propose = (text: string) =>
        done(client, "edit_document", {
            file_id: file.id, if_match: etag,
            operations: [{ op: "insert_markdown", markdown: text }],
        });
    const [mine, theirs] = [(await propose("mine")).plan, (await propose("theirs")).plan];
    const apply = { file_id: file.id, plan_id: theirs.id, if_match: etag, idempotency_key: randomUUID() };
    const applied = await done(client, "apply_plan", apply);
    const again = await done(client, "apply_plan", apply);
    assert.deepEqual([again.replayed, again.file], [true, applied.file], "a retry is answered as the first time");

    // Follow the next action of each error.
    let next: Record<string, unknown> = { file_id: file.id, plan_id: mine.id, if_match: etag, idempotency_key: randomUUID() };
    for (let attempt = 0; ; attempt += 1) {
        assert.ok(attempt < 5, "no end");
        const { isError, answer } = await call(client, "apply_plan", next);
        if (!isError) break;
        const { name, arguments: args } = answer.next_tool;
        const came =
            name === "rebase_plan"
                ? (await done(client, name, { ...args, idempotency_key: randomUUID() })).plan
                : { id: next["plan_id"], base_etag: (await done(client, name, args)).file.etag };
        next = { file_id: file.id, plan_id: came.id, if_match: came.base_etag, idempotency_key: randomUUID() };
    }
    const versions = await fetch(`${stack.surfaces.cloud.base_url}/v1/files/${file.id}/versions`, {
        headers: { authorization: `Bearer ${stack.tokens.cloud.ada}` },
    });
    const listed = (await versions.json()) as { items: unknown[] };
    assert.equal(listed.items.length, 3, "created, theirs, mine: each once");
    await client.close();
});
