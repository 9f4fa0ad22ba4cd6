import assert from "node:assert/strict";
import { createHash, createPrivateKey, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import canonicalize from "canonicalize";

import type { components } from "../generated/trust.js";
import { refused, stack, succeeded, trust } from "./stack.js";

type Event = components["schemas"]["Event"];

const hex = () => randomBytes(16).toString("hex");

function hash(value: object): string {
    return `sha256:${createHash("sha256").update(canonicalize(value) ?? "").digest("hex")}`;
}

/** A signed body from a file that another program wrote, with every kind of JSON value. */
function signedText(): string {
    const event = `{
        "venue": null, "revision": 1, "kind": "market.listed", "schema": "service/market-event/v1",
        "market_id": "mkt_${hex()}", "event_id": "evt_${hex()}", "prev_event_hash": null,
        "issued_at": "${new Date().toISOString().slice(0, 19)}+00:00",
        "data": {"odds": [1.0, 1.50, 1e2, -0.0, 9007199254740991], "title": "Grüße \\u20ac", "none": null, "empty": {}}
    }`;
    const event_hash = hash(JSON.parse(event) as object);
    const { key_id, signing_key_file } = stack.signer;
    const text = `service-trust/publish/v1\n${stack.surfaces.trust.base_url}\n${key_id}\n${event_hash}\n`;
    const signature = sign(null, Buffer.from(text), createPrivateKey(readFileSync(signing_key_file))).toString("base64");
    return `{"event": ${event}, "event_hash": "${event_hash}", "signer_key_id": "${key_id}", "signature": "${signature}"}`;
}

test("a signed body survives the client, and what is read has the hash that was signed", async () => {
    const body = JSON.parse(signedText()) as components["schemas"]["Publication"];
    const { data: published } = succeeded(await trust.POST("/wp-json/service-trust/v1/publish", { body }));
    assert.equal(published.event_hash, body.event_hash);

    const { data: read } = succeeded(
        await trust.GET("/wp-json/service-trust/v1/events/{event_hash}", {
            params: { path: { event_hash: body.event_hash } },
        }),
    );
    const event: Event = read.event;
    assert.equal(hash(event), body.event_hash);
    assert.equal(read.signature, body.signature);

    const { data: market } = succeeded(
        await trust.GET("/wp-json/service-trust/v1/markets/{market_id}", {
            params: { path: { market_id: event.market_id } },
        }),
    );
    assert.equal(market.state, "listed");

    const { error } = refused(await trust.POST("/wp-json/service-trust/v1/publish", { body }));
    assert.equal(error.code, "event_replayed");
    assert.equal(error.next_action.type, "use_receipt");
});
