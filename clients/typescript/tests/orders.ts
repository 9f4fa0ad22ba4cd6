import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import type { components } from "../generated/orders.js";
import { orders, refused, succeeded } from "./stack.js";

test("an order is placed, read and listed", async () => {
    const header = { "Idempotency-Key": randomUUID() };
    const body = {
        lines: [{ sku: "room-s", name: "Small room", quantity: 2, unit_minor: 2900 }],
        payment_method: "card",
        expected_total_minor: 5800,
    };
    const placed: components["schemas"]["Order"] = succeeded(
        await orders.POST("/wp-json/service-net/v1/orders", { params: { header }, body }),
    ).data;
    const path = { order_id: placed.id };
    const read = succeeded(await orders.GET("/wp-json/service-net/v1/orders/{order_id}", { params: { path } }));
    assert.deepEqual(read.data, placed);
    const page = succeeded(await orders.GET("/wp-json/service-net/v1/orders", { params: { query: { limit: 1 } } }));
    const newest: components["schemas"]["Order"] | undefined = page.data[0];
    assert.equal(newest?.id, placed.id);
    assert.equal(typeof page.meta.next_cursor, "string");
});

test("what does not add up is refused at its place", async () => {
    const header = { "Idempotency-Key": randomUUID() };
    const body = {
        lines: [{ sku: "room-s", name: "Small room", quantity: 1, unit_minor: 29 }],
        discount_minor: 30,
        payment_method: "card",
    };
    const { error } = refused(await orders.POST("/wp-json/service-net/v1/orders", { params: { header }, body }));
    assert.ok(error.next_action.type === "correct_request");
    assert.equal(error.next_action.problems[0]?.at, "/discount_minor");
});
