// Compares the suite's verdicts with expected.json, for every service and every revision; checks each server.json.

import { readFileSync } from "node:fs";

import { proxyFor } from "./proxy.mjs";
import { mistakesOf } from "./server_json.mjs";
import { checksOf, verdict } from "./suite.mjs";

const expected = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));
const stack = JSON.parse(readFileSync(process.env.STACK, "utf8"));
const tokens = { cloud: stack.tokens.cloud.ada, locker: stack.tokens.locker.owner, orders: stack.tokens.orders.owner };

let passed = 0;
let failed = 0;
const complain = (text) => {
    failed += 1;
    console.log(`FAILED: ${text}`);
};

/** The targets of `expected.json`: the services, and the fixture if FIXTURE names its address. */
async function targets() {
    const services = Object.entries(stack.surfaces).map(async ([name, { base_url }]) => ({
        name, kind: "services", ...(await proxyFor(base_url, tokens[name])),
    }));
    const found = await Promise.all(services);
    if (process.env.FIXTURE) found.push({ name: "fixture", kind: "fixture", ...(await proxyFor(process.env.FIXTURE)) });
    return found;
}

/** What is expected of a scenario: `{}` to pass, `{except}` to pass but for these checks, `{because}` to be left out. */
function expectation(kind, name, revision, scenario) {
    let said = expected[revision][scenario] ?? "not in expected.json";
    // Said of all targets, or of each kind, or of each service.
    if (typeof said === "object") said = said[kind] ?? said;
    if (typeof said === "object") said = said[name] ?? said;
    if (said === "passes") return {};
    return typeof said === "string" ? { because: said } : said;
}

for (const { name, kind, url, close } of await targets()) {
    for (const revision of Object.keys(expected)) {
        const scenarios = await checksOf(url, revision);
        const missing = Object.keys(expected[revision]).filter((scenario) => !scenarios.has(scenario));
        for (const scenario of missing) complain(`${name} ${revision} ${scenario}: the suite has no such scenario`);
        const counts = { passes: 0, leftOut: 0 };
        for (const [scenario, checks] of scenarios) {
            const { because, except = {} } = expectation(kind, name, revision, scenario);
            const { complaints, passes } = verdict(checks, except);
            const stale = Object.keys(except).filter((id) => checks.get(id)?.status === "SUCCESS");
            if (because === undefined && !passes) complain(`${name} ${revision} ${scenario}\n    ${complaints.join("\n    ") || "nothing was checked"}`);
            else if (because !== undefined && passes) complain(`${name} ${revision} ${scenario} passes, but is left out: ${because}`);
            else if (stale.length) complain(`${name} ${revision} ${scenario}: these checks pass, but are excused: ${stale.join(", ")}`);
            else {
                passed += 1;
                counts[because === undefined ? "passes" : "leftOut"] += 1;
            }
        }
        console.log(`${name} ${revision}: ${counts.passes} scenarios pass, ${counts.leftOut} are left out`);
    }
    close();
}
for (const service of Object.keys(stack.surfaces)) {
    const mistakes = mistakesOf(`${process.env.PROGRAMS}/${service}-svc`, service);
    if (mistakes.length) complain(`server.json of ${service}: ${mistakes.join("; ")}`);
    else passed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
