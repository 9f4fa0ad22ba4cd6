// The running stack, and a typed client of each of its services.

import { readFileSync } from "node:fs";

import createClient from "openapi-fetch";

import type { paths as Cloud } from "../generated/cloud.js";
import type { paths as Locker } from "../generated/locker.js";
import type { paths as Orders } from "../generated/orders.js";
import type { paths as Trust } from "../generated/trust.js";

interface Stack {
    surfaces: Record<"cloud" | "locker" | "orders" | "trust", { base_url: string }>;
    tokens: { cloud: { ada: string; bob: string }; locker: { owner: string }; orders: { owner: string } };
    signer: { key_id: string; signing_key_file: string };
    samples: {
        locker: { room_id: string; room_without_model_id: string; export_id: string };
        cloud: { document_id: string; spreadsheet_id: string };
        orders: { order_id: string };
    };
}

const file = process.env["STACK"];
if (file === undefined) throw new Error("STACK must name the stack.json of a running stack");

export const stack = JSON.parse(readFileSync(file, "utf8")) as Stack;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const cloud = createClient<Cloud>({
    baseUrl: stack.surfaces.cloud.base_url,
    headers: bearer(stack.tokens.cloud.ada),
});
/** Another member of the same workspace. */
export const bob = createClient<Cloud>({
    baseUrl: stack.surfaces.cloud.base_url,
    headers: bearer(stack.tokens.cloud.bob),
});
export const locker = createClient<Locker>({
    baseUrl: stack.surfaces.locker.base_url,
    headers: bearer(stack.tokens.locker.owner),
});
export const orders = createClient<Orders>({
    baseUrl: stack.surfaces.orders.base_url,
    headers: bearer(stack.tokens.orders.owner),
});
export const trust = createClient<Trust>({ baseUrl: stack.surfaces.trust.base_url });

/** The data of a success; an error fails the test with its details. */
export function succeeded<Data>(result: { data?: Data; error?: unknown }): Data {
    if (result.data === undefined) throw new Error(JSON.stringify(result.error));
    return result.data;
}

/** The error of a refusal; a success fails the test. */
export function refused<Problem>(result: { data?: unknown; error?: Problem }): Problem {
    if (result.error === undefined) throw new Error(`not refused: ${JSON.stringify(result.data)}`);
    return result.error;
}
