// Requests to a running stack.

import { readFileSync } from "node:fs";

const stack = JSON.parse(readFileSync(process.env.STACK, "utf8"));
let keys = 0;

/** What a case returns whose input the service has refused, as it may. */
export const REFUSED = "refused";

/** Sends a request as Ada; the body is an object, or bytes as they are. Fails for an answer that is no typed error. */
export async function send(service, method, path, body, headers = {}) {
    const token = service === "orders" || service === "locker" ? stack.tokens[service].owner : stack.tokens.cloud.ada;
    const sent = {
        ...(service === "trust" ? {} : { authorization: `Bearer ${token}` }),
        ...(method === "GET" ? {} : { "content-type": "application/json", "idempotency-key": `suite-${process.pid}-${keys += 1}` }),
        ...headers,
    };
    const bytes = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
    const answer = await fetch(stack.surfaces[service].base_url + path, { method, headers: sent, body: bytes });
    const text = await answer.text();
    const json = text ? JSON.parse(text) : null;
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    if (answer.status >= 400 && !json.error?.code) throw new Error(`${method} ${path}: an untyped ${answer.status}`);
    return { status: answer.status, json, code: json?.error?.code };
}

export const cloud = (method, path, body, headers) => send("cloud", method, path, body, headers);

/** The answer of a request that must succeed. */
export async function done(method, path, body, headers) {
    const { status, json } = await cloud(method, path, body, headers);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
}
