// The view of plans in a chat client: the SDK of the extension is the client.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { AxeBuilder } from '@axe-core/playwright';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const stack = JSON.parse(readFileSync(process.env.STACK, 'utf8'));
const cloud = stack.surfaces.cloud.base_url;
const token = stack.tokens.cloud.ada;
const pictures = process.env.PICTURES;
mkdirSync(pictures, { recursive: true });
const HOSTILE = `"><script>alert(1)</script><svg onload=alert(1)><img src=x onerror=alert(1)></main>`;

let browser, bundle, view;

async function send(path, body, headers = {}) {
    const answer = await fetch(cloud + path, {
        method: 'POST',
        headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
        },
        body: JSON.stringify(body),
    });
    const json = await answer.json();
    assert.ok(answer.ok, `${path}: ${JSON.stringify(json)}`);
    return json;
}

async function mcp(method, params) {
    const answer = await send('/mcp', { jsonrpc: '2.0', id: 1, method, params });
    assert.ok(answer.result, JSON.stringify(answer));
    return answer.result;
}

const make = (path, body) => send(path, body, { 'idempotency-key': crypto.randomUUID() });

/** A document with hostile text, and the result of the tool that proposes an edit of it. */
async function proposed() {
    const block = (id, text) => ({ id, type: 'paragraph', segments: [{ text }] });
    const content = { kind: 'docs', blocks: [block('a', `First ${HOSTILE}`), block('b', 'Begin at 9:30.')] };
    const { file } = await make('/v1/documents', { name: `Plan ${HOSTILE}`.replaceAll('/', '').slice(0, 60), content });
    const operations = [
        { op: 'replace_block', block_id: 'b', block: block('b', 'Begin at 10:00.') },
        { op: 'insert_block', block: block('c', `New ${HOSTILE}`) },
    ];
    const input = { file_id: file.id, if_match: file.etag, operations };
    return { file, input, result: await mcp('tools/call', { name: 'edit_document', arguments: input }) };
}

async function shown(given, { reads = true } = {}) {
    const context = await browser.newContext({ viewport: { width: 420, height: 640 } });
    const page = await context.newPage();
    const seen = { alerts: 0, opened: [], requests: [] };
    page.on('dialog', (dialog) => {
        seen.alerts += 1;
        void dialog.dismiss();
    });
    page.on('request', (request) => seen.requests.push(request.url()));
    await page.exposeFunction('readResource', (uri) => mcp('resources/read', { uri }));
    await page.exposeFunction('openLink', (url) => void seen.opened.push(url));
    await page.addScriptTag({ content: bundle });
    await page.evaluate((all) => globalThis.showView(all), { html: view, reads, ...given });
    return { page, frame: page.frameLocator('iframe'), seen };
}

before(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
    const entry = new URL('view_host.mjs', import.meta.url).pathname;
    const built = await build({ entryPoints: [entry], bundle: true, format: 'iife', write: false });
    bundle = built.outputFiles[0].text;
    const { tools } = await mcp('tools/list', {});
    const uris = tools.filter((tool) => tool._meta?.ui).map((tool) => [tool.name, tool._meta.ui.resourceUri]);
    assert.ok(uris.some(([name]) => name === 'edit_document') && uris.some(([name]) => name === 'get_plan'));
    const read = await mcp('resources/read', { uri: uris[0][1] });
    assert.equal(read.contents[0].mimeType, 'text/html;profile=mcp-app');
    view = read.contents[0].text;
});

after(() => browser?.close());

test('a plan is shown as its page shows it, and decided on its page', async () => {
    const { page, frame, seen } = await shown(await proposed());
    await frame.getByText('Begin at').first().waitFor();
    assert.match(await frame.locator('h1').first().textContent(), /^Plan for /);
    assert.equal(await frame.locator('article.change').count(), 2);
    assert.match(await frame.locator('ins').first().textContent(), /10/);
    await page.waitForFunction(() => globalThis.height > 100);
    const { violations } = await new AxeBuilder({ page }).include('iframe').analyze();
    assert.deepEqual(violations.map((violation) => violation.id), []);
    await page.screenshot({ path: `${pictures}/view-of-a-plan.png` });
    await frame.getByRole('link', { name: 'Decide on the page of the plan' }).click();
    await page.waitForTimeout(200);
    assert.match(seen.opened[0], new RegExp(`^${cloud}/f/file_[0-9]+/plans/plan_[0-9a-f]{32}$`));
    // No button and no form: a click in another program is not known to be a person's.
    assert.equal(await frame.locator('button, form, input').count(), 0);
    assert.equal(seen.alerts, 0);
    assert.deepEqual(seen.requests.filter((url) => !url.startsWith('about:')), []);
});

test('the plans of a proposal are shown one after the other', async () => {
    const plans = [];
    for (let index = 0; index < 2; index += 1) {
        const { file } = await proposed();
        const listed = await fetch(`${cloud}/v1/files/${file.id}/edit-plans`, { headers: { authorization: `Bearer ${token}` } });
        plans.push({ file_id: file.id, plan_id: (await listed.json()).items[0].id });
    }
    const { proposal } = await make('/v1/proposals', { title: `Both ${HOSTILE}`, plans });
    const input = { proposal_id: proposal.id };
    const result = await mcp('tools/call', { name: 'get_proposal', arguments: input });
    const { frame, seen } = await shown({ input, result });
    await frame.getByText('Plan 1 of 2').waitFor();
    await frame.getByRole('link', { name: 'Next plan' }).click();
    await frame.getByText('Plan 2 of 2').waitFor();
    assert.equal(await frame.locator('article.change').count(), 2);
    assert.equal(seen.alerts, 0);
});

test('a client without resources for views shows the text of the result', async () => {
    const { frame, seen } = await shown(await proposed(), { reads: false });
    await frame.getByText(/untrusted/).waitFor();
    assert.match(await frame.locator('pre').textContent(), /Next: apply_plan/);
    assert.equal(seen.alerts, 0);
});
