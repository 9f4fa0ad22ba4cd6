// Runs the suite against one address and reads its verdict on every check.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const suite = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const run = promisify(execFile);

// The suite adds this check to every scenario, so alone it says nothing of what the scenario is about.
const ALWAYS = "wire-schema-valid";

/** Each scenario of a revision, with the status of its checks: `Map<scenario, Map<check, status>>`. */
export async function checksOf(url, revision) {
    const output = await mkdtemp(join(tmpdir(), "conformance-"));
    try {
        const command = ["--import", join(here, "node20.mjs"), suite, "server", "--url", url, "--requirements", revision, "-o", output];
        // The exit code tells only whether something failed; the files tell what.
        await run(process.execPath, command, { maxBuffer: 1 << 28 }).catch((failed) => {
            if (failed.code !== 1) throw failed;
        });
        const scenarios = new Map();
        for (const folder of await readdir(output)) {
            const name = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
            scenarios.set(name, statuses(JSON.parse(await readFile(join(output, folder, "checks.json"), "utf8"))));
        }
        if (scenarios.size === 0) throw new Error(`the suite ran no scenario of ${revision}`);
        return scenarios;
    } finally {
        await rm(output, { recursive: true });
    }
}

const SEVERITY = ["INFO", "SKIPPED", "SUCCESS", "WARNING", "FAILURE"];

/** A check may be reported several times; its worst status counts. */
function statuses(checks) {
    const worst = new Map();
    for (const { id, status, errorMessage } of checks) {
        const before = worst.get(id);
        if (!before || SEVERITY.indexOf(status) > SEVERITY.indexOf(before.status)) worst.set(id, { status, errorMessage });
    }
    return worst;
}

/** The checks that did not succeed, and whether any did. A warning is the breach of a SHOULD; it counts as a failure. */
export function verdict(checks, excused = {}) {
    const complaints = [];
    let succeeded = false;
    for (const [id, { status, errorMessage }] of checks) {
        if (["WARNING", "FAILURE"].includes(status) && !(id in excused)) complaints.push(`${id}: ${errorMessage ?? status}`);
        if (status === "SUCCESS" && id !== ALWAYS) succeeded = true;
    }
    return { complaints, passes: succeeded && complaints.length === 0 };
}
