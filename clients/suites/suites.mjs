// Runs all suites, and counts their cases.

import { cases as csv } from "./csv.mjs";
import { cases as json } from "./json.mjs";
import { cases as markdown } from "./markdown.mjs";
import { cases as strings } from "./strings.mjs";
import { cases as webhooks } from "./webhooks.mjs";

const LANES = 4;

let passed = 0;
let failed = 0;

async function lane(queue) {
    for (let next = queue.pop(); next; next = queue.pop()) {
        const [name, run] = next;
        try {
            await run();
            passed += 1;
        } catch (error) {
            failed += 1;
            console.log(`FAILED: ${name}: ${error.message}`);
        }
    }
}

for (const [suite, cases] of Object.entries({ json, strings, markdown, csv, webhooks })) {
    const queue = await cases();
    console.log(`${suite}: ${queue.length} cases`);
    queue.reverse();
    await Promise.all(Array.from({ length: LANES }, () => lane(queue)));
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
