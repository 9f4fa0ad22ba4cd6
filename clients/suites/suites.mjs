// Runs all suites, and counts their cases.

import { cases as csv } from "./csv.mjs";
import { cases as json } from "./json.mjs";
import { cases as markdown } from "./markdown.mjs";
import { REFUSED } from "./service.mjs";
import { cases as strings } from "./strings.mjs";
import { cases as webhooks } from "./webhooks.mjs";

const LANES = 4;
/** The share of cases whose input may be refused; of other suites none. An eighth of the strings is, as names and tags. */
const MAY_REFUSE = { strings: 0.15 };

let passed = 0;
let failed = 0;
let refused = 0;

async function lane(queue) {
    for (let next = queue.pop(); next; next = queue.pop()) {
        const [name, run] = next;
        try {
            if (await run() === REFUSED) refused += 1;
            passed += 1;
        } catch (error) {
            failed += 1;
            console.log(`FAILED: ${name}: ${error.message}`);
        }
    }
}

for (const [suite, cases] of Object.entries({ json, strings, markdown, csv, webhooks })) {
    const queue = await cases();
    const count = queue.length;
    if (count === 0) throw new Error(`${suite}: no cases`);
    queue.reverse();
    refused = 0;
    await Promise.all(Array.from({ length: LANES }, () => lane(queue)));
    console.log(`${suite}: ${count} cases, ${refused} of them refused`);
    // A service that refused everything would pass each case by itself.
    if (refused > count * (MAY_REFUSE[suite] ?? 0)) {
        failed += 1;
        console.log(`FAILED: ${suite}: ${refused} of ${count} cases are refused`);
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
