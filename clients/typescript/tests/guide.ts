// The TypeScript block of docs/guides/mcp.md, compiled and run as it is written.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { stack } from "./stack.js";

// clients/typescript, where its modules are: this runs as generated/js/clients/typescript/tests/guide.js.
const place = new URL("../../../../../", import.meta.url);

/** What Node.js prints, which must succeed. */
function run(...args: string[]): string {
    const env = { ...process.env, CLOUD: stack.surfaces.cloud.base_url, CLOUD_TOKEN: stack.tokens.cloud.ada };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: fileURLToPath(place), env, encoding: "utf8", timeout: 60_000 });
    assert.equal(status, 0, `${args.join(" ")}\n${stdout}${stderr}`);
    return stdout;
}

test("the block lists tools and calls one", () => {
    const guide = readFileSync(new URL("../../docs/guides/mcp.md", place), "utf8");
    const block = /^```ts\n(.*?)^```/ms.exec(guide)?.[1];
    if (block === undefined) throw new Error("the guide has no block of TypeScript");
    writeFileSync(new URL("generated/guide.mts", place), block);
    // Without exactOptionalPropertyTypes of our own settings, which the SDK's types do not satisfy.
    const settings = ["--strict", "--skipLibCheck", "--types", "node", "--module", "nodenext", "--target", "es2023"];
    run("node_modules/typescript/bin/tsc", ...settings, "generated/guide.mts");
    const said = run("generated/guide.mjs");
    assert.match(said, /^apply_plan$/m);
    // Node.js shows a tab in a text of an object as `\t`.
    assert.ok(said.includes(`${stack.samples.cloud.document_id}\\tdocument\\t`), said);
});
