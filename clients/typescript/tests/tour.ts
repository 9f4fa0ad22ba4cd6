import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { type Stack, tour } from "../../../examples/tour.mjs";

test("the tour goes round", async () => {
    const said = await tour(JSON.parse(readFileSync(process.env["STACK"] ?? "", "utf8")) as Stack);
    assert.deepEqual(said.slice(0, 4), ["Begin at 9:30.", "Begin at 10:00.", "Begin at 9:30.", "2500000 bytes went there and back"]);
    assert.match(said[4] ?? "", / has entry /);
});
