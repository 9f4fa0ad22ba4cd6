// Checks the server.json of each service against the schema of the registry of MCP servers.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import Ajv from "ajv";
import formats from "ajv-formats";

const schema = JSON.parse(readFileSync(new URL("server.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv({ allErrors: true });
formats(ajv);
const isValid = ajv.compile(schema);

/** What is wrong with the server.json of a program, which also must have this URL and nothing that the schema lacks. */
export function mistakesOf(program, service) {
    const args = ["server-json", `com.example/${service}`, "--base-url", `https://${service}.example.com`];
    const described = JSON.parse(execFileSync(program, args, { encoding: "utf8", env: {} }));
    const unknown = Object.keys(described).filter((member) => !(member in schema.properties));
    const mistakes = unknown.map((member) => `${member} is unknown`);
    if (!isValid(described)) mistakes.push(ajv.errorsText(isValid.errors));
    if (described.remotes?.[0]?.url !== `https://${service}.example.com/mcp`) mistakes.push("the URL is another one");
    if (described.$schema !== schema.$id) mistakes.push("another schema");
    return mistakes;
}
