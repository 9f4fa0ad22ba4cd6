// The suite imports `globSync` of node:fs, which Node.js 20 does not have and `conformance server` never calls.
// Loaded with `node --import`, this gives the suite a function that throws. Node.js 22 does not need it.

import { register } from "node:module";

const hooks = `
export const resolve = (name, context, next) =>
    name === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")
        ? { url: "with-glob:fs", shortCircuit: true }
        : next(name, context);
export const load = (url, context, next) =>
    url === "with-glob:fs"
        ? { format: "module", shortCircuit: true,
            source: 'export * from "node:fs"; export function globSync() { throw new Error("not in Node.js 20"); }' }
        : next(url, context);
`;
if (Number(process.versions.node.split(".")[0]) < 22) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
