import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import type { components } from "../generated/locker.js";
import { locker, refused, stack, succeeded } from "./stack.js";

test("the catalogue and the subscriptions are read, page by page", async () => {
    assert.equal(succeeded(await locker.GET("/api/v1/catalogue")).data.currency, "GBP");
    const ids = new Set<string>();
    let cursor: string | null | undefined;
    do {
        const query = cursor ? { limit: 2, cursor } : { limit: 2 };
        const page = succeeded(await locker.GET("/api/v1/billing/subscriptions", { params: { query } }));
        for (const { id } of page.data) ids.add(id);
        cursor = page.meta.next_cursor;
    } while (cursor);
    assert.ok(ids.size > 2);
});

test("an export's parts are downloaded as its manifest says", async () => {
    const path = { export: stack.samples.locker.export_id };
    const envelope = succeeded(await locker.GET("/api/v1/exports/{export}/manifest", { params: { path } }));
    const manifest = JSON.parse(Buffer.from(envelope.payload, "base64").toString()) as { sha256: string };
    const whole = createHash("sha256");
    let cursor: number | null = 0;
    while (cursor !== null) {
        const params: { path: typeof path; query: { cursor: number } } = { path, query: { cursor } };
        const listing: components["schemas"]["PartListing"] = succeeded(
            await locker.GET("/api/v1/exports/{export}/parts", { params }),
        ).data;
        for (const part of listing.parts) {
            const token = new URL(part.download.url).pathname.replace("/downloads/", "");
            const download = await locker.GET("/downloads/{token}", {
                params: { path: { token } },
                parseAs: "arrayBuffer",
            });
            const bytes = Buffer.from(succeeded(download));
            assert.equal(createHash("sha256").update(bytes).digest("hex"), part.sha256);
            whole.update(bytes);
        }
        cursor = listing.next_cursor;
    }
    assert.equal(whole.digest("hex"), manifest.sha256);
});

test("a model test is queued and polled", async () => {
    const header = { "Idempotency-Key": randomUUID() };
    const path = { room: stack.samples.locker.room_without_model_id };
    const { error } = refused(await locker.POST("/api/v1/rooms/{room}/onboarding/model-test", { params: { header, path } }));
    assert.equal(error.code, "model_not_configured");

    const room = { room: stack.samples.locker.room_id };
    const queue = () => locker.POST("/api/v1/rooms/{room}/onboarding/model-test", { params: { header, path: room } });
    let queued = await queue();
    while (queued.error !== undefined) {
        // Only one test may run at a time, and another client may have started one.
        const { next_action } = queued.error.error;
        assert.ok(next_action.type === "poll");
        await setTimeout(1000 * next_action.after_seconds);
        queued = await queue();
    }
    const id = queued.data.data.operation_id;
    const operation = succeeded(await locker.GET("/api/v1/operations/{id}", { params: { path: { id } } }));
    assert.equal(operation.data.room_id, room.room);
});
