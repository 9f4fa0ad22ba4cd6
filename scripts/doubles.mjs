// 40 000 doubles as ECMAScript writes them, which RFC 8785 prescribes: the judge of shared-model/canonical-json, whose test
// keeps the hash that this prints. With --lines it prints the texts, to be compared where the hashes differ.

import { createHash } from "node:crypto";

const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const view = new DataView(new ArrayBuffer(8));
const double = (bits) => {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
};

const lines = [];
for (let block = sha256("doubles"); lines.length < 40_000; block = sha256(block)) {
    for (let at = 0; at < 32; at += 8) {
        const bits = block.readBigUInt64BE(at);
        // Any double, and one of a usual size: from 2^-64 to 2^63.
        const usual = (bits & 0x800f_ffff_ffff_ffffn) | ((959n + ((bits >> 52n) & 127n)) << 52n);
        lines.push(...[double(bits), double(usual)].filter(Number.isFinite).map((number) => JSON.stringify(number)));
    }
}
const text = `${lines.slice(0, 40_000).join("\n")}\n`;
process.stdout.write(process.argv.includes("--lines") ? text : `${sha256(text).toString("hex")}\n`);
