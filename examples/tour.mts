/**
 * A tour in TypeScript with the generated clients: edit a document and undo it, upload a file, publish an event and verify its proof.
 *
 *     clients/run 0                                # once: generates the clients (openapi-typescript), and compiles this
 *     node clients/typescript/generated/js/examples/tour.mjs .fourfold/stack.json
 */
import assert from "node:assert/strict";
import { createHash, createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import canonicalize from "canonicalize";
import createClient from "openapi-fetch";

import type { paths as CloudPaths } from "../clients/typescript/generated/cloud.js";
import type { paths as TrustPaths } from "../clients/typescript/generated/trust.js";

/** The stack.json that `cargo run` writes. */
export interface Stack {
    surfaces: Record<"cloud" | "trust", { base_url: string }>;
    tokens: { cloud: Record<"ada", string> };
    signer: { key_id: string; signing_key_file: string };
    trust: { log_key: string };
}

interface Answered<T> {
    data?: T;
    error?: unknown;
}

/** Sends a request, again after a lost connection. The key stays the same, so it takes effect once. */
async function sent<T>(send: () => Promise<Answered<T>>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
        try {
            const { data, error } = await send();
            if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
            return data;
        } catch (broken) {
            // fetch throws TypeError for every broken connection.
            if (!(broken instanceof TypeError) || attempt === 3) throw broken;
        }
    }
}

const sha256 = (...parts: (Uint8Array | string)[]) => {
    const hash = createHash("sha256");
    parts.forEach((part) => hash.update(part));
    return hash.digest();
};

function cloudOf(stack: Stack) {
    const headers = { authorization: `Bearer ${stack.tokens.cloud.ada}` };
    return createClient<CloudPaths>({ baseUrl: stack.surfaces.cloud.base_url, headers });
}

/** The texts of a document after each step. */
export async function editAndUndo(stack: Stack): Promise<string[]> {
    const cloud = cloudOf(stack);
    const steps: string[] = [];
    const begun = { id: "b1", type: "paragraph" as const, segments: [{ text: "Begin at 9:30." }] };
    const body = { name: "Tour", content: { kind: "docs" as const, blocks: [begun] } };
    const created = { "Idempotency-Key": randomUUID() };
    const { file } = await sent(() => cloud.POST("/v1/documents", { params: { header: created }, body }));
    const path = { file_id: file.id };
    const read = async () => {
        const { content } = await sent(() => cloud.GET("/v1/documents/{file_id}", { params: { path } }));
        const texts = content?.blocks.map((block) => block.segments.map((segment) => segment.text).join(""));
        steps.push(texts?.join(" ") ?? "");
    };
    await read();

    // The entity tag binds the plan to the version that was read, so no other change is overwritten.
    const proposed = { "Idempotency-Key": randomUUID(), "If-Match": file.etag };
    const later = { op: "replace_text" as const, block_id: "b1", find: "9:30", replace: "10:00", expected_count: 1 };
    const { plan } = await sent(() =>
        cloud.POST("/v1/files/{file_id}/edit-plans", { params: { path, header: proposed }, body: { operations: [later] } }),
    );
    const applied = { "Idempotency-Key": randomUUID(), "If-Match": file.etag };
    const { undo } = await sent(() =>
        cloud.POST("/v1/documents/{file_id}/edit-plans/{plan_id}/apply", {
            params: { path: { ...path, plan_id: plan.id }, header: applied },
            body: {},
        }),
    );
    await read();

    assert.ok(undo !== null);
    const undone = { "Idempotency-Key": randomUUID(), "If-Match": undo.if_match };
    await sent(() =>
        cloud.POST("/v1/files/{file_id}/versions/{version_id}/restore", {
            params: { path: { ...path, version_id: plan.base_version_id }, header: undone },
            body: {},
        }),
    );
    await read();
    return steps;
}

/** Uploads a file chunk by chunk, and downloads it again. */
export async function upload(stack: Stack, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const cloud = cloudOf(stack);
    const digest = sha256(content).toString("hex");
    const body = { name: "Tour.bin", mime: "application/octet-stream", size: content.length, sha256: digest };
    const begun = { "Idempotency-Key": randomUUID() };
    const { upload } = await sent(() => cloud.POST("/v1/uploads", { params: { header: begun }, body }));
    const path = { upload_id: upload.id };
    for (let index = 0; index < upload.chunk_count; index += 1) {
        const chunk = content.slice(index * upload.chunk_bytes, (index + 1) * upload.chunk_bytes);
        const header = { "Content-Digest": `sha-256=:${sha256(chunk).toString("base64")}:` };
        await sent(() =>
            cloud.PUT("/v1/uploads/{upload_id}/chunks/{index}", {
                params: { path: { ...path, index }, header },
                headers: { "content-type": "application/octet-stream" },
                // The schema is binary, which the generated type declares as string.
                body: chunk as unknown as string,
                bodySerializer: () => chunk,
            }),
        );
    }
    const completed = { "Idempotency-Key": randomUUID() };
    const { file } = await sent(() =>
        cloud.POST("/v1/uploads/{upload_id}/complete", { params: { path, header: completed }, body: {} }),
    );
    assert.ok(file);
    const { download } = await sent(() =>
        cloud.POST("/v1/files/{file_id}/download-grants", { params: { path: { file_id: file.id } }, body: {} }),
    );
    // The link is valid for two minutes and needs no token.
    return new Uint8Array(await (await fetch(download.url)).arrayBuffer());
}

/** Publishes a signed event and verifies its proof with the log's public key. Returns the checkpoint. */
export async function publishAndVerify(stack: Stack): Promise<string> {
    const baseUrl = stack.surfaces.trust.base_url;
    const hex = () => randomUUID().replaceAll("-", "");
    const event = {
        schema: "service/market-event/v1" as const,
        event_id: `evt_${hex()}`,
        kind: "market.listed" as const,
        market_id: `mkt_${hex()}`,
        revision: 1,
        prev_event_hash: null,
        issued_at: new Date().toISOString(),
        data: { title: "Is the tour over?" },
    };
    const eventHash = `sha256:${sha256(canonicalize(event) ?? "").toString("hex")}`;
    const { key_id, signing_key_file } = stack.signer;
    const signed = `service-trust/publish/v1\n${baseUrl}\n${key_id}\n${eventHash}\n`;
    const signature = sign(null, Buffer.from(signed), createPrivateKey(readFileSync(signing_key_file))).toString("base64");
    const body = { event, event_hash: eventHash, signer_key_id: key_id, signature };
    const trust = createClient<TrustPaths>({ baseUrl });
    const { log } = (await sent(() => trust.POST("/wp-json/service-trust/v1/publish", { body }))).data;

    // RFC 9162 §2.1.3.2: compute the root from the entry and the inclusion path.
    let root = sha256(Uint8Array.of(0), canonicalize(body) ?? "");
    let [node, last] = [log.index, log.tree_size - 1];
    for (const sibling of log.inclusion_path.map((hash) => Buffer.from(hash, "base64"))) {
        if (node % 2 === 1 || node === last) {
            root = sha256(Uint8Array.of(1), sibling, root);
            while (node % 2 === 0 && node > 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
        } else {
            root = sha256(Uint8Array.of(1), root, sibling);
        }
        [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    }
    // The checkpoint contains the root and is signed by the log (c2sp.org/signed-note).
    const end = log.checkpoint.lastIndexOf("\n\n");
    const [text, signatures] = [log.checkpoint.slice(0, end + 1), log.checkpoint.slice(end + 2)];
    const [name, size, said] = text.split("\n");
    assert.deepEqual([last, size, said], [0, String(log.tree_size), root.toString("base64")], "the proof does not hold");
    const [keyName, , keyText] = stack.trust.log_key.split(/\+([0-9a-f]{8})\+/);
    assert.ok(keyText !== undefined);
    const line = signatures.split("\n").find((line) => line.startsWith(`— ${keyName} `));
    const x = Buffer.from(keyText, "base64").subarray(1).toString("base64url");
    const logKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const logSignature = Buffer.from(line?.split(" ").at(-1) ?? "", "base64").subarray(4);
    assert.ok(verify(null, Buffer.from(text), logKey, logSignature), "the log has not signed this");
    return `${name} has entry ${log.index} of ${size}`;
}

/** Runs all parts; returns a summary. */
export async function tour(stack: Stack): Promise<string[]> {
    const steps = await editAndUndo(stack);
    const content = Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * 31) % 251);
    assert.deepEqual(sha256(await upload(stack, content)), sha256(content), "what comes back is something else");
    return [...steps, `${content.length} bytes went there and back`, await publishAndVerify(stack)];
}

const [, program, file] = process.argv;
if (program !== undefined && file !== undefined && import.meta.url === pathToFileURL(program).href) {
    for (const line of await tour(JSON.parse(readFileSync(file, "utf8")) as Stack)) console.log(line);
}
