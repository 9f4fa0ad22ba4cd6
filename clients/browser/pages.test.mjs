// The pages in a real browser: what people do there, and what no attacker may do.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';

import { pdf, picture, sound } from './samples.mjs';

const stack = JSON.parse(readFileSync(process.env.STACK, 'utf8'));
const at = (surface) => stack.surfaces[surface].base_url;
const cloud = at('cloud');
const pictures = process.env.PICTURES;
mkdirSync(pictures, { recursive: true });

// Everything must work without the script: most flows are done without it, and those of the script below. It is blocked, not
// switched off in the browser, because axe is a script too.
const NO_SCRIPT = {}, SCRIPT = { hasScript: true };
const SCREENS = [
    ['wide-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['wide-dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['phone-light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
];
const WORD = 'w'.repeat(10_000);
const HOSTILE = `"><script>alert(1)</script><svg onload=alert(1)><img src=x onerror=alert(1)></main>\u202etxt.exe [x](javascript:alert(1))`;

let browser;
const files = {};
let plan, proposal;

// ── Content to look at, created with the API

async function send(token, method, path, body, headers = {}) {
    const answer = await fetch(cloud + path, {
        method,
        headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
            ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
    });
    const json = await answer.json();
    assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(json)}`);
    return json;
}

const ada = (method, path, body, headers) => send(stack.tokens.cloud.ada, method, path, body, headers);

/** An upload, and its page. */
async function upload(name, bytes) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { upload: { id } } = await ada('POST', '/v1/uploads', { name, size: bytes.length, mime: 'application/octet-stream', sha256 });
    const sent = await fetch(`${cloud}/v1/uploads/${id}/chunks/0`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${stack.tokens.cloud.ada}`, 'content-type': 'application/octet-stream' },
        body: bytes,
    });
    assert.ok(sent.ok, await sent.text());
    return (await ada('POST', `/v1/uploads/${id}/complete`, {})).file;
}

async function make() {
    const segments = [{ text: HOSTILE }, { text: WORD, link: 'https://evil.example/"><script>' }];
    const element = {
        type: 'shape', x: 5, y: 5, w: 90, h: 40, rotation: 0, text: HOSTILE, fill: '#ffffff', color: '#1a2b3c', fontSize: 18, align: 'left', weight: 400,
    };
    const contents = {
        documents: {
            kind: 'docs',
            blocks: [
                { id: 'b1', type: 'heading1', segments: [{ text: 'Heading' }] },
                { id: 'b2', type: 'paragraph', segments },
                { id: 'b3', type: 'table', segments: [], rows: [[segments, [{ text: 'cell' }]]] },
            ],
        },
        spreadsheets: { kind: 'sheets', sheets: [{ name: 'Budget', cells: [['Rent', '900'], [HOSTILE, WORD], ['Sum', '=SUM(B1:B1)']] }] },
        notes: { title: 'A note', content: `# Heading\n\n${HOSTILE}\n\n${WORD}\n\n- one\n- two\n\n[a](javascript:alert(1))` },
        publications: { pages: [{ name: 'Page', size: 'square', orientation: 'portrait', background: '#ffffff', elements: [element] }] },
        presentations: { slides: [{ name: 'Slide', background: '#ffffff', elements: [element], notes: HOSTILE }] },
    };
    for (const [collection, content] of Object.entries(contents)) {
        const created = await ada('POST', `/v1/${collection}`, { name: `Seen ${collection} <b>x</b>`.replaceAll('/', ''), content });
        files[collection] = created.file;
    }
    files.picture = await upload('Seen picture.png', picture(1_000, 500));
    files.sound = await upload('Seen sound.wav', sound(20));
    files.pdf = await upload('Seen plan.pdf', pdf());
    const document = `/v1/files/${files.documents.id}`;
    await ada('POST', `${document}/comments`, { text: HOSTILE + WORD.slice(0, 900), anchor: { block_id: 'b2' } });
    const operations = [
        { op: 'insert_block', block: { type: 'paragraph', segments: [{ text: 'Approved in a browser.' }] }, after_id: 'b1' },
        { op: 'delete_block', block_id: 'b2' },
    ];
    plan = (await ada('POST', `${document}/edit-plans`, { operations }, { 'if-match': files.documents.etag })).plan;
    // In review, because otherwise it can be applied for 15 minutes only.
    // As long as they may be. A title has no invisible characters; one in the reason has three bytes.
    proposal = await propose(`${HOSTILE.replace('\u202e', '')} ${WORD}`.slice(0, 200), `${HOSTILE} ${WORD}`.slice(0, 998));
}

/** A proposal over a document and a spreadsheet of its own, in review. */
async function propose(title, reason) {
    const plans = [];
    const planned = async (collection, content, operations) => {
        const { file } = await ada('POST', `/v1/${collection}`, { name: `Together ${collection} ${'n'.repeat(140)}`, content });
        const { plan: { id } } = await ada('POST', `/v1/files/${file.id}/edit-plans`, { operations }, { 'if-match': file.etag });
        plans.push({ file_id: file.id, plan_id: id });
    };
    const blocks = [{ id: 'b1', type: 'paragraph', segments: [{ text: 'Lemons cost two.' }] }];
    await planned('documents', { kind: 'docs', blocks }, [
        { op: 'insert_block', block: { type: 'paragraph', segments: [{ text: HOSTILE }, { text: WORD }] }, after_id: 'b1' },
        { op: 'replace_block', block_id: 'b1', block: { ...blocks[0], segments: [{ text: 'Lemons cost three.' }] } },
    ]);
    await planned('spreadsheets', { kind: 'sheets', sheets: [{ name: 'Prices', cells: [['Lemons', '2'], ['Sum', '=B1*10']] }] }, [
        { op: 'set_cells', sheet: 'Prices', range: 'A1:B1', values: [[WORD, '3']] },
    ]);
    const made = (await ada('POST', '/v1/proposals', { title, reason, plans })).proposal;
    return (await ada('POST', `/v1/proposals/${made.id}/request-review`, { note: reason })).proposal;
}

// ── Browsing

/** A person's window. Scripts and reported errors fail the test. */
async function open(screen = SCREENS[0][1], options = NO_SCRIPT) {
    const { hasScript, ...others } = options;
    const context = await browser.newContext({ ...screen, ...others, reducedMotion: 'reduce' });
    if (!hasScript) await context.route(/\/assets\/.*\.js$/, (route) => route.abort());
    const page = await context.newPage();
    const faults = [];
    page.on('dialog', async (dialog) => { faults.push(`a dialog: ${dialog.message()}`); await dialog.dismiss(); });
    page.on('pageerror', (error) => faults.push(`an error: ${error}`));
    page.on('console', (message) => {
        // The browser reports every answer other than 2xx; tests check those that they expect.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
    });
    page.on('request', (request) => {
        if (!Object.values(stack.surfaces).some(({ base_url }) => request.url().startsWith(base_url)) && !request.url().startsWith(stack.issuer.url)) {
            faults.push(`a request to ${request.url()}`);
        }
    });
    return { context, page, faults };
}

async function signIn(page, person, path = '/w') {
    await page.goto(cloud + path);
    assert.ok(page.url().startsWith(stack.issuer.url), `led to ${page.url()}, not to the sign-in`);
    await page.getByRole('button', { name: person }).click();
    assert.equal(new URL(page.url()).pathname, new URL(path, cloud).pathname);
}

async function look(window, name, screen) {
    const { page, faults } = window;
    // Axe takes most of the time. Two of the screens have both widths and both sets of colors.
    const isExamined = !['wide-dark', 'phone-light'].includes(screen);
    const { violations } = isExamined ? await new AxeBuilder({ page }).analyze() : { violations: [] };
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ').slice(0, 300)}`), [], `axe on ${name}, ${screen}`);
    const [needed, has] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(needed <= has, `${name}, ${screen}: ${needed} px on a screen of ${has}`);
    assert.deepEqual(faults, [], `${name}, ${screen}`);
    await page.screenshot({ path: `${pictures}/${name}-${screen}.png` });
}

before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    await make();
});

after(() => browser?.close());

test('a person signs in, finds a file, asks for a review; another approves it; the first applies it and sees the new version', async () => {
    const author = await open();
    await signIn(author.page, /Ada/);
    await author.page.getByRole('searchbox').fill('Seen documents');
    await author.page.getByRole('button', { name: 'Find' }).click();
    await author.page.getByRole('link', { name: /Seen documents/ }).first().click();
    assert.equal(new URL(author.page.url()).pathname, `/f/${files.documents.id}`);
    const planPath = `/f/${files.documents.id}/plans/${plan.id}`;
    await author.page.locator(`a[href="${planPath}"]`).first().click();
    await author.page.getByRole('button', { name: /Ask somebody else/ }).click();
    await author.page.getByText('You have proposed this plan').waitFor();

    const reviewer = await open();
    await signIn(reviewer.page, /Bob/, planPath);
    await reviewer.page.getByText('Approved in a browser.').first().waitFor();
    await reviewer.page.getByRole('button', { name: 'Approve' }).click();
    await reviewer.page.getByText(/approved/i).first().waitFor();

    await author.page.reload();
    await author.page.getByRole('button', { name: 'Apply to the file' }).dblclick();
    await author.page.locator('.state.applied').first().waitFor();
    await author.page.waitForLoadState('networkidle');
    await author.page.goto(`${cloud}/f/${files.documents.id}`);
    await author.page.getByText('Approved in a browser.').first().waitFor();
    const versions = await ada('GET', `/v1/files/${files.documents.id}/versions`);
    assert.equal(versions.items.length, 2, 'a double click applies once');
    assert.deepEqual([...author.faults, ...reviewer.faults], []);
    // A copied cookie is of no use after the sign-out.
    const cookies = (await author.context.cookies(cloud)).map(({ name, value }) => `${name}=${value}`).join('; ');
    const visit = async () => (await fetch(`${cloud}/w`, { headers: { cookie: cookies }, redirect: 'manual' })).status;
    assert.equal(await visit(), 200);
    await author.page.getByRole('button', { name: 'Sign out' }).click();
    await author.page.goto(`${cloud}/w`);
    assert.ok(author.page.url().startsWith(stack.issuer.url), 'a person who has signed out must sign in again');
    assert.equal(await visit(), 303);
    await author.context.close();
    await reviewer.context.close();
});

test('a person makes a folder and a note in it, uploads a file, renames, moves and trashes it, and deletes it for good', async () => {
    const window = await open();
    const { page } = window;
    await signIn(page, /Ada/);
    await page.getByRole('link', { name: 'New folder' }).click();
    await look(window, 'new-folder', 'made');
    await page.getByLabel('Name').fill('Fair');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fair' }).waitFor();
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.getByRole('link', { name: 'Note', exact: true }).click();
    await page.getByLabel('Name').fill('Shopping');
    await page.getByLabel(/^Text/).fill('Buy *bread*.');
    await look(window, 'new-note', 'typed');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.locator('em', { hasText: 'bread' }).waitFor();
    await page.locator('.crumbs').getByRole('link', { name: 'Fair' }).click();
    await page.getByRole('link', { name: 'Upload' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'poster.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 7) });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('heading', { level: 1, name: 'poster.bin' }).waitFor();
    await page.getByText('Rename, move or delete').click();
    await look(window, 'organize', 'open');
    await page.getByLabel('Name').fill('Poster of the fair.bin');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Poster of the fair.bin' }).waitFor();
    await page.getByText('Rename, move or delete').click();
    await page.getByRole('link', { name: /Move or copy/ }).click();
    await look(window, 'move', 'folder');
    await page.locator('.crumbs').getByRole('link', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('Rename, move or delete').click();
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByText('In the trash.').waitFor();
    await page.getByRole('button', { name: 'Take it out of the trash' }).click();
    await page.getByText('Rename, move or delete').click();
    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByText('Delete it for good').click();
    await look(window, 'purge', 'open');
    await page.getByLabel(/Type its name/).fill('Poster of the fair.bin');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Poster of the fair.bin' }).count(), 0);
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person edits a document as Markdown, applies the preview, compares the versions, and undoes it', async () => {
    const window = await open(SCREENS[2][1]);
    const { page } = window;
    const created = await ada('POST', '/v1/imports', { name: 'Rules of the fair', format: 'markdown', text: 'Open at nine.\n\nBring a chair.' });
    await signIn(page, /Ada/, `/f/${created.file.id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    const text = page.getByLabel(/^Text/);
    await text.fill((await text.inputValue()).replace('nine', 'ten'));
    await look(window, 'edit-document', 'phone');
    await page.getByRole('button', { name: 'Preview the changes' }).dblclick();
    await page.getByRole('button', { name: 'Apply to the file' }).click();
    await page.locator('.state.applied').first().waitFor();
    await look(window, 'applied', 'phone');
    await page.goto(`${cloud}/f/${created.file.id}`);
    await page.getByText('Open at ten.').waitFor();
    await page.getByRole('link', { name: /Compare with the current/ }).first().click();
    await page.locator('ins', { hasText: 'ten' }).waitFor();
    await look(window, 'compare', 'phone');
    await page.getByRole('button', { name: /Restore the first/ }).click();
    await page.getByText('Open at nine.').waitFor();
    const versions = await ada('GET', `/v1/files/${created.file.id}/versions`);
    assert.equal(versions.items.length, 3, 'a double click proposes once');
    await page.goto(`${cloud}/f/${files.spreadsheets.id}/edit?range=A1:B1`);
    await page.getByLabel('B1').fill('950');
    await look(window, 'edit-cells', 'phone');
    await page.getByRole('button', { name: 'Preview the changes' }).click();
    await page.locator('ins', { hasText: '950' }).waitFor();
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('people talk about a file: a comment, a reply, resolved', async () => {
    const path = `/f/${files.notes.id}`;
    const [author, other] = [await open(SCREENS[2][1]), await open()];
    await signIn(author.page, /Ada/, path);
    await author.page.getByLabel('Write a comment').fill('Is that so?');
    await author.page.getByRole('button', { name: 'Comment' }).dblclick();
    await author.page.getByText('Is that so?').waitFor();
    await signIn(other.page, /Bob/, path);
    const thread = other.page.locator('article.comment', { hasText: 'Is that so?' });
    assert.equal(await thread.count(), 1, 'a double click comments once');
    await thread.getByText('Reply', { exact: true }).first().click();
    await thread.getByLabel('Your reply').fill('It is.');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await other.page.getByText('It is.').waitFor();
    await look(other, 'comments', 'answered');
    // Bob may comment, and not settle what others have asked.
    assert.equal(await thread.getByRole('button', { name: 'Resolve' }).count(), 0);
    await author.page.reload();
    await author.page.locator('article.comment', { hasText: 'Is that so?' }).getByRole('button', { name: 'Resolve' }).first().click();
    await author.page.locator('article.comment.resolved', { hasText: 'Is that so?' }).getByText('Resolved').waitFor();
    await look(author, 'comments', 'phone');
    await author.context.close();
    await other.context.close();
});

test('a person looks at a picture, plays a sound, reads a PDF, and sees who wrote a document', async () => {
    const window = await open();
    const { page, context } = window;
    await signIn(page, /Ada/, `/f/${files.picture.id}`);
    const seen = page.locator('figure img');
    await seen.waitFor();
    assert.equal(await seen.evaluate(async (image) => { await image.decode(); return image.naturalWidth; }), 1_000);
    await look(window, 'picture', 'seen');
    await page.goto(`${cloud}/f/${files.sound.id}`);
    const player = page.locator('audio');
    await page.waitForFunction(() => document.querySelector('audio')?.readyState >= 1);
    assert.equal(await player.evaluate((audio) => audio.duration), 20);
    // A place that was not loaded yet comes as a range.
    await player.evaluate((audio) => new Promise((done) => { audio.onseeked = done; audio.currentTime = 15; }));
    await look(window, 'sound', 'played');
    await page.goto(`${cloud}/f/${files.pdf.id}`);
    await look(window, 'pdf', 'offered');
    const [tab] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Read it in the browser' }).click()]);
    // Its script opens a dialog in the browser's own reader, and reaches nothing of ours.
    const dialog = await tab.waitForEvent('dialog', { timeout: 5_000 }).catch(() => null);
    await dialog?.dismiss();
    assert.deepEqual(await tab.evaluate(() => [document.cookie, window.opener]), ['', null], 'neither the session nor our page');
    await tab.close();
    await page.goto(`${cloud}/f/${files.documents.id}`);
    await page.getByRole('link', { name: 'Who wrote this' }).click();
    await page.getByRole('table').waitFor();
    await look(window, 'authors', 'seen');
    assert.deepEqual(window.faults, []);
    await context.close();
});

test('files are chosen in a list, moved and trashed together; the list is sorted', async () => {
    const window = await open(SCREENS[2][1]);
    const { page } = window;
    const folder = (await ada('POST', '/v1/folders', { name: 'Chosen ones' })).file;
    for (const name of ['Zebra', 'Ape']) await ada('POST', '/v1/imports', { name, format: 'markdown', text: name, parent_id: folder.id });
    await signIn(page, /Ada/, `/f/${folder.id}`);
    await page.getByRole('link', { name: 'Name', exact: true }).click();
    assert.deepEqual(await page.locator('td.name a').allTextContents(), ['Ape', 'Zebra']);
    await look(window, 'sorted', 'phone');
    await page.getByLabel('Choose Ape').check();
    await page.getByLabel('Choose Zebra').check();
    await page.getByRole('button', { name: 'Move the chosen', exact: true }).click();
    await look(window, 'choose-folder', 'phone');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Nothing is in this folder.').waitFor();
    await page.goto(`${cloud}/w`);
    await page.getByLabel('Choose Ape').check();
    await page.getByRole('button', { name: 'Move the chosen to the trash' }).click();
    assert.equal(await page.getByLabel('Choose Ape').count(), 0);
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person makes a webhook and sees why it waits, and limits an agent', async () => {
    const window = await open(SCREENS[2][1]);
    const { page } = window;
    await signIn(page, /Ada/);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel(/^URL of the endpoint/).fill('https://hooks.example.com/fourfold');
    await look(window, 'webhooks', 'phone');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    assert.match(await page.getByLabel('Secret').inputValue(), /^whsec_/);
    await look(window, 'secret', 'phone');
    await page.getByRole('link', { name: 'Continue to the webhook' }).click();
    await look(window, 'webhook', 'phone');
    await page.getByText('New secret, or the end').click();
    await page.getByRole('button', { name: 'Revoke the webhook' }).click();
    await page.getByText('Revoked').first().waitFor();
    await page.goto(`${cloud}/w/agents`);
    await look(window, 'agents', 'phone');
    const limit = page.getByRole('link', { name: 'Limit what it may see and do' }).first();
    if (await limit.count()) {
        await limit.click();
        await page.getByLabel('Only read').check();
        await look(window, 'limits', 'phone');
        await page.getByRole('button', { name: 'Set the limits' }).click();
        await page.getByText('Only read').first().waitFor();
    }
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person finds an event, and the browser computes its proof again', async () => {
    const window = await open(SCREENS[2][1], SCRIPT);
    const { page } = window;
    await page.goto(`${at('trust')}/`);
    const link = page.getByRole('table').getByRole('link').first();
    const hash = (await link.getAttribute('href')).replace('/event/sha256:', '');
    await page.getByRole('searchbox').fill(hash.slice(0, 12));
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(/\/event\//);
    await page.getByText('This browser has computed the same root').waitFor();
    await look(window, 'proof', 'computed');
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person downloads a part of an export', async () => {
    const window = await open(SCREENS[2][1]);
    const { page } = window;
    await page.goto(`${at('locker')}/`);
    await page.getByRole('button', { name: /everything/ }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Your rooms' }).waitFor();
    await look(window, 'rooms', 'phone');
    await page.locator('a[href^="/exports/"]').first().click();
    await page.getByRole('heading', { level: 2, name: 'Parts' }).waitFor();
    await look(window, 'export', 'phone');
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a[href*="/parts/"]').first().click()]);
    assert.equal(await download.failure(), null);
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person reads an order', async () => {
    const window = await open(SCREENS[2][1]);
    const { page } = window;
    await page.goto(`${at('orders')}/`);
    await page.getByRole('button', { name: /everything/ }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Your orders' }).waitFor();
    await look(window, 'orders', 'phone');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { level: 2, name: 'What has happened' }).waitFor();
    await look(window, 'order', 'phone');
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('a person signs out everywhere', async () => {
    const [one, other] = [await open(), await open()];
    await signIn(one.page, /Carol/);
    await signIn(other.page, /Carol/);
    await one.page.getByRole('link', { name: /Signed in as/ }).click();
    await look(one, 'session', 'shown');
    await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await other.page.goto(`${cloud}/w`);
    assert.ok(other.page.url().startsWith(stack.issuer.url));
    await one.context.close();
    await other.context.close();
});

// ── With the script

test('the script shows local times, lists its keys and follows them', async () => {
    const window = await open(SCREENS[0][1], { ...SCRIPT, timezoneId: 'Asia/Tokyo' });
    const { page } = window;
    await signIn(page, /Ada/, `/f/${files.notes.id}`);
    const time = page.locator('time').first();
    await page.waitForFunction(() => document.querySelector('time')?.hasAttribute('title'));
    assert.match(await time.textContent(), /ago|now/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await look(window, 'keys', 'shown');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('f');
    await page.waitForURL(`${cloud}/w`);
    await page.keyboard.press('/');
    await page.keyboard.type('f?');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'f?', 'no key while somebody types');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByLabel('Use these keys').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    assert.equal(page.url(), `${cloud}/w`, 'keys are off');
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('the script says that a page is out of date, and who has changed the file', async () => {
    const window = await open(SCREENS[2][1], SCRIPT);
    const { page } = window;
    const { file } = await ada('POST', '/v1/imports', { name: 'Changing', format: 'markdown', text: 'One.' });
    await signIn(page, /Ada/, `/f/${file.id}`);
    await ada('POST', `/v1/files/${file.id}/rename`, { name: 'Changed' }, { 'if-match': file.etag });
    await page.getByText('This page is out of date.').waitFor({ timeout: 25_000 });
    await look(window, 'outdated', 'phone');
    await page.getByRole('link', { name: 'Load it again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Changed' }).waitFor();
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

test('the script uploads several files in parts, pauses, and goes on after a broken line and a reload', async () => {
    const window = await open(SCREENS[0][1], SCRIPT);
    const { page, context } = window;
    await signIn(page, /Ada/, '/w/new?kind=upload');
    // Before its script runs, the form is sent without it.
    await page.waitForLoadState('load');
    const film = { name: 'Film.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(13 * 1_048_576 + 5, 'film') };
    const small = { name: 'Small.txt', mimeType: 'text/plain', buffer: Buffer.from('Small.') };
    const parts = [];
    page.on('request', (request) => { if (/\/w\/uploads\/[^/]+$/.test(request.url()) && request.method() === 'POST') parts.push(request); });
    const input = page.locator('input[type=file]');
    await input.setInputFiles(small);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.locator('.uploads li', { hasText: 'Small.txt' }).getByRole('link', { name: 'Open' }).waitFor();
    assert.equal(parts.length, 1);
    // The line breaks after the first part.
    let broken = 0;
    await page.route(/\/w\/uploads\/[^/]+$/, async (route) => {
        if (route.request().method() === 'POST' && parts.length >= 3 && broken < 2) { broken += 1; return route.abort('connectionreset'); }
        // A slow line: the person sees how far it is, and can pause.
        await new Promise((done) => setTimeout(done, 300));
        return route.continue();
    });
    await input.setInputFiles(film);
    await page.getByRole('button', { name: 'Upload' }).click();
    const row = page.locator('.uploads li', { hasText: 'Film.bin' });
    await row.getByText(/%/).waitFor();
    await row.getByRole('button', { name: 'Pause' }).click();
    await look(window, 'uploading', 'paused');
    await page.reload();
    await page.getByText('Interrupted.').waitFor();
    await page.locator('input[type=file]').setInputFiles(film);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.locator('.uploads li', { hasText: 'Film.bin' }).getByRole('link', { name: 'Open' }).waitFor();
    await look(window, 'uploading', 'done');
    const found = await ada('GET', '/v1/search?name_contains=Film.bin');
    assert.equal(found.items.length, 1, 'it is one file');
    const { items: [text] } = await ada('GET', '/v1/search?name_contains=Small.txt');
    await page.goto(`${cloud}/f/${text.id}`);
    await page.locator('pre', { hasText: 'Small.' }).waitFor();
    await look(window, 'upload', 'text');
    const faults = window.faults.filter((fault) => !/ERR_CONNECTION_RESET/.test(fault));
    assert.deepEqual(faults, []);
    await context.close();
});

test('an upload goes on after its session, and nobody else sees its name', async () => {
    const window = await open(SCREENS[0][1], SCRIPT);
    const { page, context } = window;
    const upload = '/w/new?kind=upload';
    await signIn(page, /Ada/, upload);
    await page.waitForLoadState('load');
    // On disk, because what is chosen again must be as old.
    const file = join(mkdtempSync(join(tmpdir(), 'pages-')), 'Private.bin');
    writeFileSync(file, Buffer.alloc(9 * 1_048_576, 'private'));
    const send = async () => {
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByRole('button', { name: 'Upload' }).click();
    };
    const begin = `${cloud}/w/uploads`, part = /\/w\/uploads\/[^/]+$/;
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('upload ')).length);
    // What was refused at its beginning was not interrupted.
    await page.route(begin, (route) => route.fulfill({ status: 413, contentType: 'text/html', body: '<main><p>Too large.</p></main>' }));
    await send();
    await page.locator('.uploads').getByText('Too large.').waitFor();
    assert.equal(await kept(), 0);
    await page.unroute(begin);
    // The first answer says that another request with the key still runs.
    await page.route(begin, (route) => route.fulfill({ status: 409, headers: { 'retry-after': '1' }, body: '' }), { times: 1 });
    // The session ends after the first part.
    let parts = 0;
    await page.route(part, async (route) => {
        if (route.request().method() === 'POST' && (parts += 1) === 2) await context.clearCookies({ domain: new URL(cloud).hostname });
        await route.continue();
    });
    await send();
    await page.waitForURL((url) => url.href.startsWith(stack.issuer.url));
    await page.unroute(part);
    await page.getByRole('button', { name: /Bob/ }).click();
    await page.waitForURL(cloud + upload);
    await page.waitForLoadState('load');
    assert.deepEqual([await page.getByText('Interrupted.').count(), await kept()], [0, 1]);
    await context.clearCookies();
    await signIn(page, /Ada/, upload);
    await page.locator('.uploads li', { hasText: 'Private.bin' }).getByText('Interrupted.').waitFor();
    const rest = [];
    page.on('request', (request) => { if (part.test(request.url()) && request.method() === 'POST') rest.push(request); });
    await send();
    await page.locator('.uploads li', { hasText: 'Private.bin' }).getByRole('link', { name: 'Open' }).waitFor();
    assert.equal(rest.length, 2, 'the first part was kept');
    // A sign-out forgets what is interrupted.
    await page.evaluate(() => localStorage.setItem('upload Ada root Other.bin 1 1', 'page-key'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    assert.equal(await kept(), 0);
    assert.deepEqual(window.faults, []);
    await context.close();
    rmSync(dirname(file), { recursive: true });
});

test('the keyboard alone reaches what a page has', async () => {
    const window = await open();
    await signIn(window.page, /Ada/);
    // A page loaded by a form would keep the scroll position of its button.
    await window.page.goto(`${cloud}/w`);
    await window.page.bringToFront();
    await window.page.keyboard.press('Tab');
    assert.equal(await window.page.evaluate(() => document.activeElement.className), 'skip');
    await window.page.keyboard.press('Enter');
    await window.page.waitForURL((url) => url.hash === '#main');
    await window.context.close();
});

test('the keyboard alone reaches each file and each form of a proposal, and applies it', async () => {
    const { id, plans } = await propose('New prices', 'They rose.');
    const path = `/w/proposals/${id}`;
    /** Goes there with Tab from where the focus is. */
    const reach = async (page, target) => {
        for (let steps = 0; steps < 200; steps += 1) {
            if (await target.evaluate((element) => document.activeElement === element)) return;
            await page.keyboard.press('Tab');
        }
        assert.fail(`the keyboard does not reach ${target}`);
    };
    const reviewer = await open(SCREENS[2][1]);
    await signIn(reviewer.page, /Bob/, path);
    await reviewer.page.goto(cloud + path);
    await reviewer.page.bringToFront();
    const main = reviewer.page.locator('main');
    for (const { file_id: file, id: plan } of plans) {
        await reach(reviewer.page, main.locator(`h2 a[href="/f/${file}"]`));
        await reach(reviewer.page, main.locator(`a[href="/f/${file}/plans/${plan}"]`).first());
    }
    const approve = main.getByRole('button', { name: 'Approve' });
    await reach(reviewer.page, approve);
    await reach(reviewer.page, main.getByLabel('Reason for rejecting it'));
    await reach(reviewer.page, main.getByRole('button', { name: 'Reject' }));
    // Backwards, to the form before it.
    await reviewer.page.keyboard.press('Shift+Tab');
    await reviewer.page.keyboard.press('Shift+Tab');
    assert.ok(await approve.evaluate((element) => document.activeElement === element));
    await reviewer.page.keyboard.press('Enter');
    await reviewer.page.locator('.standing .state.approved').first().waitFor();

    // Its author finds it again without a link from anybody.
    const author = await open(SCREENS[2][1]);
    await signIn(author.page, /Ada/, '/w/reviews');
    await look(author, 'open-proposals', 'phone');
    const link = author.page.getByRole('link', { name: 'New prices' }).first();
    await reach(author.page, link);
    await author.page.keyboard.press('Enter');
    await author.page.waitForURL(cloud + path);
    await reach(author.page, author.page.getByRole('button', { name: 'Apply to all files' }));
    await author.page.keyboard.press('Enter');
    await author.page.locator('.standing .state.applied').first().waitFor();
    await look(author, 'proposal-applied', 'phone');
    assert.deepEqual([...author.faults, ...reviewer.faults], []);
    await author.context.close();
    await reviewer.context.close();
});

test('a German browser gets German pages, on a phone too, and its script speaks German', async () => {
    const window = await open(SCREENS[3][1], { ...SCRIPT, locale: 'de-DE' });
    const { page } = window;
    await signIn(page, /Ada/);
    const paths = {
        w: '/w', search: '/w?q=Seen', trash: '/w?state=trashed', new: '/w/new?kind=document', reviews: '/w/reviews', agents: '/w/agents',
        webhooks: '/w/webhooks', session: '/session', document: `/f/${files.documents.id}`, sheet: `/f/${files.spreadsheets.id}`,
        note: `/f/${files.notes.id}`, edit: `/f/${files.notes.id}/edit`, move: `/f/${files.notes.id}/move`,
        plan: `/f/${files.documents.id}/plans/${plan.id}`, proposals: '/w/proposals', proposal: `/w/proposals/${proposal.id}`,
        missing: '/f/file_999999999',
    };
    for (const [name, path] of Object.entries(paths)) {
        await page.goto(cloud + path);
        assert.equal(await page.locator('html').getAttribute('lang'), 'de');
        await look(window, `german-${name}`, SCREENS[3][0]);
    }
    await page.goto(`${at('trust')}/`);
    await look(window, 'german-log', SCREENS[3][0]);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Dieser Browser hat dieselbe Wurzel berechnet').waitFor();
    await look(window, 'german-event', SCREENS[3][0]);
    await page.goto(`${cloud}/f/${files.notes.id}`);
    await page.waitForFunction(() => /^vor |^jetzt/.test(document.querySelector('time')?.textContent ?? ''));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Tasten' }).getByText('Bearbeiten').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(window.faults, []);
    await window.context.close();
});

for (const [screen, options] of SCREENS) {
    test(`every kind of page, ${screen}: no fault, nothing wider than the screen, nothing that runs`, async () => {
        const window = await open(options, SCRIPT);
        const { page } = window;
        await page.goto(`${cloud}/w`);
        await look(window, 'sign-in', screen);
        await page.getByRole('button', { name: /Ada/ }).click();
        const own = [
            ['w', '/w'],
            ['search', '/w?q=Seen'],
            ['trash', '/w?state=trashed'],
            ...['document', 'note', 'spreadsheet', 'folder', 'upload'].map((kind) => [`new-${kind}`, `/w/new?kind=${kind}`]),
            ['move', `/f/${files.documents.id}/move`],
            ...Object.entries(files).map(([collection, file]) => [collection, `/f/${file.id}`]),
            ['reviews', '/w/reviews'],
            ['agents', '/w/agents'],
            ['webhooks', '/w/webhooks'],
            ['session', '/session'],
            ['plan', `/f/${files.documents.id}/plans/${plan.id}`],
            ['proposals', '/w/proposals'],
            ['proposal', `/w/proposals/${proposal.id}`],
            ['missing', '/f/file_999999999'],
            ['unknown', '/nonsense'],
        ];
        const event = await (await fetch(`${at('trust')}/`)).text();
        const everyones = [
            ['docs', `${cloud}/docs`],
            ['docs-operation', `${cloud}/docs/propose_file_edit`],
            ['docs-guide', `${cloud}/docs/guides/concepts`],
            ['docs-reference', `${cloud}/docs/reference/cloud`],
            ['docs-locker', `${at('locker')}/docs`],
            ['docs-orders', `${at('orders')}/docs`],
            ['trust', `${at('trust')}/`],
            ['event', at('trust') + /\/event\/sha256:[0-9a-f]{64}/.exec(event)[0]],
        ];
        for (const [name, address] of [...own.map(([name, path]) => [name, cloud + path]), ...everyones]) {
            const answer = await page.goto(address);
            assert.equal(answer.status(), ['missing', 'unknown'].includes(name) ? 404 : 200, address);
            await look(window, name, screen);
        }
        await window.context.close();
    });
}
