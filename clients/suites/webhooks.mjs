// The libraries of Standard Webhooks and of Svix: both verify what a webhook of ours really delivers, also while its secret
// changes, and neither accepts anything else.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";

import { done } from "./service.mjs";

const LIBRARIES = { standardwebhooks: Standard, svix: Svix };
const SIGNED = ["webhook-id", "webhook-timestamp", "webhook-signature"];
// Each step takes milliseconds. Longer means that it does not happen.
const PATIENCE_MS = 30_000;

/** The one port of this machine that the stack's services may call. */
function port() {
    const shell = readFileSync(process.env.STACK.replace(/stack\.json$/, "env"), "utf8");
    return Number(shell.match(/^(?:export )?RECEIVER_PORT='?(\d+)'?$/m)[1]);
}

async function until(what, found) {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
        const result = await found();
        if (result) return result;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${what} does not happen`);
}

/** A receiver's deliveries by their types, the first of each; it answers the challenge. */
async function receive(deliveries) {
    const server = createServer(async (request, response) => {
        const body = await text(request);
        const { type, data } = JSON.parse(body);
        const headers = Object.fromEntries(SIGNED.map((name) => [name, request.headers[name]]));
        deliveries.push({ type, body, headers });
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ challenge: data.challenge }));
    });
    server.listen(port(), "127.0.0.1");
    await once(server, "listening");
    return server;
}

/** The secrets of a webhook before and after a rotation, and what it delivered with one and with both. */
async function delivered() {
    const deliveries = [];
    const server = await receive(deliveries);
    try {
        const made = await done("POST", "/v1/webhooks", { url: `http://127.0.0.1:${port()}/`, events: ["file.created"] });
        const path = `/v1/webhooks/${made.webhook.id}`;
        await until("the challenge", async () => (await done("GET", path)).webhook.state === "active");
        const of = (type, from) => until(type, () => deliveries.slice(from).find((delivery) => delivery.type === type));
        await done("POST", `${path}/ping`, {});
        const ping = await of("webhook.ping", 0);
        const rotated = await done("POST", `${path}/rotate-secret`, {});
        const from = deliveries.length;
        await done("POST", "/v1/documents", { name: "Ä news" });
        const event = await of("file.created", from);
        await done("POST", `${path}/revoke`, {});
        return { first: made.signing_secret, second: rotated.signing_secret, ping, event };
    } finally {
        server.close();
        server.closeAllConnections();
    }
}

function accepts(Library, secret, { body, headers }) {
    try {
        new Library(secret).verify(body, headers);
        return true;
    } catch (error) {
        // Anything else is a mistake of this file, and no refusal.
        if (error.name !== "WebhookVerificationError") throw error;
        return false;
    }
}

export async function cases() {
    const { first, second, ping, event } = await delivered();
    const later = String(Number(event.headers["webhook-timestamp"]) + 1);
    const changed = (headers) => ({ ...event, headers: { ...event.headers, ...headers } });
    const tried = [
        ["a delivery", first, ping, true],
        ["a delivery, by a later secret", second, ping, false],
        ["a delivery after a rotation, by the new secret", second, event, true],
        ["a delivery after a rotation, by the old secret", first, event, true],
        ["another body", second, { ...event, body: `${event.body} ` }, false],
        ["another id", second, changed({ "webhook-id": ping.headers["webhook-id"] }), false],
        ["another time", second, changed({ "webhook-timestamp": later }), false],
        ["the signature of another delivery", second, changed({ "webhook-signature": ping.headers["webhook-signature"] }), false],
    ];
    return Object.entries(LIBRARIES).flatMap(([name, Library]) => tried.map(([what, secret, delivery, expected]) => [
        `${what} (${name})`,
        () => {
            if (accepts(Library, secret, delivery) !== expected) throw new Error(expected ? "refused" : "accepted");
        },
    ]));
}
