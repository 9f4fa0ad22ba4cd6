// What somebody new does in his first hour: fourteen tasks, with the mouse, at the width of a phone, and by the keyboard alone.
// Each is done by what a page shows, and checked with the API. The table of clicks, keys and seconds is printed at the end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { chromium } from 'playwright-core';

const stack = JSON.parse(readFileSync(process.env.STACK, 'utf8'));
const at = (surface) => stack.surfaces[surface].base_url;
const cloud = at('cloud');
const pictures = process.env.PICTURES;
mkdirSync(pictures, { recursive: true });

const WAYS = {
    mouse: { viewport: { width: 1280, height: 900 } },
    phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    keyboard: { viewport: { width: 1280, height: 900 } },
};
const MIB = 1_048_576;
const rows = [];
let browser, agent, folder;

async function send(token, method, path, body, headers = {}) {
    const answer = await fetch(cloud + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
    });
    const json = await answer.json();
    assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(json)}`);
    return json;
}

const ada = (method, path, body, headers) => send(stack.tokens.cloud.ada, method, path, body, headers);
const made = async (name, text) => (await ada('POST', '/v1/imports', { name, format: 'markdown', text })).file;
const current = async (id) => (await ada('GET', `/v1/files/${id}`)).file;

/** A person at a window, who counts. */
class Person {
    clicks = 0;
    keys = 0;

    constructor(page, way) {
        this.page = page;
        this.way = way;
    }

    button(name) { return this.page.getByRole('button', { name, exact: typeof name === 'string' }); }
    link(name) { return this.page.getByRole('link', { name, exact: typeof name === 'string' }); }

    async key(key) {
        this.keys += 1;
        await this.page.keyboard.press(key);
    }

    /** Goes there with Tab, as somebody without a mouse has to. */
    async reach(target) {
        await target.waitFor();
        const isThere = () => target.evaluate((element) => document.activeElement === element);
        for (let steps = 0; steps < 300; steps += 1) {
            if (await isThere()) return;
            await this.key('Tab');
        }
        assert.fail(`the keyboard does not reach ${target}`);
    }

    /** Presses a link, a button or what opens. */
    async press(target) {
        const one = target.first();
        if (this.way === 'keyboard') {
            const key = await one.getAttribute('aria-keyshortcuts');
            if (key) return this.key(key);
            await this.reach(one);
            return this.key('Enter');
        }
        this.clicks += 1;
        return this.way === 'phone' ? one.tap() : one.click();
    }

    async tick(target) {
        if (this.way !== 'keyboard') return this.press(target);
        await this.reach(target.first());
        return this.key('Space');
    }

    /** Words count as one press of a key each: how fast somebody writes is not ours. */
    async write(target, text) {
        if (this.way === 'keyboard' && !await target.first().getAttribute('aria-keyshortcuts')) await this.reach(target.first());
        else await this.press(target);
        this.keys += text.split(' ').length;
        await target.first().fill(text);
    }

    async sees(text) {
        await this.page.getByText(text).first().waitFor();
    }
}

async function signIn(page, person, path) {
    await page.goto(new URL(path, cloud).href);
    await page.getByRole('button', { name: person }).first().click();
    await page.waitForURL(new RegExp(`${new URL(path, cloud).pathname.replaceAll('/', '\\/')}$`));
    // The focus of a person begins at the top of the page.
    await page.goto(new URL(path, cloud).href);
}

/** A slow line that breaks twice, for three seconds each. */
async function breaking(page, bytesInSecond) {
    const devtools = await page.context().newCDPSession(page);
    const line = (offline) => devtools.send('Network.emulateNetworkConditions', { offline, latency: 20, downloadThroughput: -1, uploadThroughput: bytesInSecond });
    await devtools.send('Network.enable');
    await line(false);
    return async () => {
        for (let seen = 0; seen < 2; seen += 1) {
            await page.locator('.uploads').getByText('%').first().waitFor({ timeout: 60_000 });
            await line(true);
            await page.getByText('The connection was lost. Trying again.').first().waitFor({ timeout: 60_000 });
            await new Promise((done) => { setTimeout(done, 3_000); });
            await line(false);
            await page.getByText('The connection was lost. Trying again.').first().waitFor({ state: 'hidden', timeout: 60_000 });
        }
    };
}

// ── The tasks: `make` is what was there before, `act` is what the person does, `check` asks the API

const TASKS = {
    'upload files on a line that breaks twice': {
        start: '/w',
        // The whole of it with the mouse, which can drop a folder.
        make: async (way) => (way === 'mouse' ? { name: folder.name, count: 30, bytes: 200 * MIB } : { name: null, count: 2, bytes: 30 * MIB }),
        act: async (person, { name, count, bytes }) => {
            const { page } = person;
            await person.press(person.link('Upload'));
            await page.waitForLoadState('load');
            const breaks = await breaking(page, name ? 20 * MIB : 2 * MIB);
            if (name) {
                // As the system drops a folder: no script can make such an event itself.
                const devtools = await page.context().newCDPSession(page);
                const data = { items: [], files: [folder.path], dragOperationsMask: 1 };
                for (const type of ['dragEnter', 'dragOver', 'drop']) await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 500, data });
                person.clicks += 1;
            } else {
                const input = page.locator('input[type=file]');
                if (person.way === 'keyboard') await person.reach(input);
                else person.clicks += 1;
                const files = Array.from({ length: count }, (_, index) => ({
                    name: `${person.way} ${index}.bin`, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes / count, index + 1),
                }));
                await input.setInputFiles(files);
                await person.press(person.button('Upload'));
            }
            await Promise.all([breaks(), page.waitForFunction(
                (count) => document.querySelectorAll('.uploads a').length === count, count, { timeout: 300_000 },
            )]);
        },
        check: async ({ name, count, bytes }, way) => {
            const inside = name ? (await ada('GET', `/v1/search?name_contains=${name}`)).items.find((file) => file.type === 'folder').id : 'root';
            const { items, details } = await ada('GET', `/v1/files?parent_id=${inside}&limit=100&include=details`);
            const own = items.filter((file) => name || file.name.startsWith(`${way} `));
            assert.equal(own.length, count);
            assert.equal(own.reduce((sum, file) => sum + details[file.id].bytes, 0), bytes);
        },
    },
    'write a note': {
        start: '/w',
        act: async (person) => {
            await person.press(person.link('New'));
            await person.press(person.link('Note'));
            await person.write(person.page.getByLabel('Name'), `Shopping by ${person.way}`);
            await person.write(person.page.getByLabel(/^Text/), 'Buy *bread* and two chairs.');
            await person.press(person.button('Make it'));
            await person.page.locator('em', { hasText: 'bread' }).waitFor();
        },
        check: async (_, way) => assert.equal((await ada('GET', `/v1/search?name_contains=Shopping by ${way}`)).items.length, 1),
    },
    'find a word in all files': {
        start: '/w',
        make: (way) => made(`Rules ${way}`, `Nobody brings a gramophone${way}.`),
        act: async (person) => {
            await person.write(person.page.getByRole('searchbox'), `gramophone${person.way}`);
            await person.press(person.button('Find'));
            await person.press(person.link(new RegExp(`^Rules ${person.way}`)));
            await person.sees('Nobody brings');
        },
    },
    "review an agent's plan for a budget and reject it with a reason": {
        person: /Bob/,
        start: '/w',
        make: async (way) => {
            const cells = [['Item', 'Planned'], ['Tents', '1200'], ['Sum', '=SUM(B2:B2)']];
            const content = { kind: 'sheets', sheets: [{ name: 'Budget', cells }] };
            const { file } = await ada('POST', '/v1/spreadsheets', { name: `Budget ${way}`, content });
            const operations = [{ op: 'set_cells', sheet: 'Budget', range: 'B2', values: [['9200']] }];
            const path = `/v1/files/${file.id}/edit-plans`;
            const { plan } = await send(agent, 'POST', path, { operations }, { 'if-match': file.etag });
            await send(agent, 'POST', `${path}/${plan.id}/request-review`, { note: 'Tents cost more.' });
            return `${path}/${plan.id}`;
        },
        act: async (person) => {
            await person.press(person.link(/wait.* for your review/));
            const entry = person.page.getByRole('listitem').filter({ hasText: `Budget ${person.way}` });
            await person.press(entry.getByRole('link', { name: /Plan of/ }));
            await person.sees('9200');
            await person.write(person.page.getByLabel('Reason for rejecting it'), 'Ask for a second offer first.');
            await person.press(person.button('Reject'));
            await person.page.locator('.state.rejected').first().waitFor();
        },
        check: async (path) => {
            const { plan } = await ada('GET', path);
            assert.deepEqual([plan.state, plan.review.reason], ['rejected', 'Ask for a second offer first.']);
        },
    },
    'undo an applied plan': {
        make: async (way) => {
            const file = await made(`Undone ${way}`, 'Open at nine.');
            const blocks = (await ada('GET', `/v1/documents/${file.id}`)).content.blocks;
            const block = { ...blocks[0], segments: [{ text: 'Open at ten.' }] };
            const path = `/v1/files/${file.id}/edit-plans`;
            const { plan } = await ada('POST', path, { operations: [{ op: 'replace_block', block_id: blocks[0].id, block }] }, { 'if-match': file.etag });
            await ada('POST', plan.apply_url.replace(cloud, ''), {}, { 'if-match': file.etag });
            return { file, path: `/f/${file.id}/plans/${plan.id}` };
        },
        start: ({ path }) => path,
        act: async (person) => {
            await person.press(person.button('Undo this'));
            await person.sees('Open at nine.');
        },
        check: async ({ file }) => assert.equal((await ada('GET', `/v1/documents/${file.id}`)).content.blocks[0].segments[0].text, 'Open at nine.'),
    },
    'compare two versions': {
        make: async (way) => {
            const file = await made(`Compared ${way}`, 'Open at nine.');
            const blocks = (await ada('GET', `/v1/documents/${file.id}`)).content.blocks;
            const block = { ...blocks[0], segments: [{ text: 'Open at ten.' }] };
            const { plan } = await ada('POST', `/v1/files/${file.id}/edit-plans`, { operations: [{ op: 'replace_block', block_id: blocks[0].id, block }] }, { 'if-match': file.etag });
            await ada('POST', plan.apply_url.replace(cloud, ''), {}, { 'if-match': file.etag });
            return file;
        },
        start: ({ id }) => `/f/${id}`,
        act: async (person) => {
            await person.press(person.link('Compare with the current one'));
            await person.page.locator('ins', { hasText: 'ten' }).waitFor();
        },
    },
    'bring a trashed folder back': {
        make: async (way) => {
            const { file } = await ada('POST', '/v1/folders', { name: `Lost ${way}` });
            await ada('POST', `/v1/files/${file.id}/trash`, {}, { 'if-match': file.etag });
            return file;
        },
        start: '/w',
        act: async (person) => {
            await person.press(person.link('Trash'));
            await person.press(person.link(new RegExp(`Lost ${person.way}`)));
            await person.press(person.button('Take it out of the trash'));
            await person.page.getByText('In the trash.').waitFor({ state: 'hidden' });
        },
        check: async ({ id }) => assert.equal((await current(id)).state, 'active'),
    },
    'take the rights of an agent away': {
        start: '/w',
        act: async (person) => {
            await person.press(person.link('Agents'));
            const own = person.page.getByRole('article').filter({ hasText: 'Helper' });
            await person.press(own.getByRole('link', { name: 'Limit what it may see and do' }));
            if (person.way === 'keyboard') {
                // A group of choices is one stop, and the arrows choose.
                const group = person.page.getByRole('group', { name: 'It may' });
                await person.reach(group.locator('input:checked'));
                while (!await person.page.getByLabel('Only read').isChecked()) await person.key('ArrowUp');
            } else {
                await person.tick(person.page.getByLabel('Only read'));
            }
            await person.press(person.button('Set the limits'));
            await person.sees('Only read');
        },
        check: async () => {
            const { items } = await ada('GET', '/v1/agents');
            const { grant_id: grant, limits } = items.find((each) => each.actor.display_name === 'Helper');
            assert.equal(limits.may, 'read');
            // The next way begins with an agent that may do everything again.
            await ada('PUT', `/v1/agents/${grant}/limits`, { may: 'apply' });
        },
    },
    'revoke an agent': {
        make: async (way) => {
            const token = agentNamed(`Leaver ${way}`);
            await send(token, 'GET', '/v1/workspaces');
            return { name: `Leaver ${way}` };
        },
        start: '/w',
        act: async (person) => {
            await person.press(person.link('Agents'));
            const own = person.page.getByRole('article').filter({ hasText: `Leaver ${person.way}` });
            await person.press(own.locator('summary', { hasText: 'End its access' }));
            await person.press(own.getByRole('button', { name: 'Revoke the grant' }));
            await own.getByText('Its access has ended').waitFor();
        },
        check: async ({ name }) => {
            const { items } = await ada('GET', '/v1/agents');
            assert.equal(items.find((each) => each.actor.display_name === name).is_active, false);
        },
    },
    'reply to a comment and settle it': {
        make: async (way) => {
            const file = await made(`Discussed ${way}`, 'Open at nine.');
            await ada('POST', `/v1/files/${file.id}/comments`, { text: 'Is nine too early?' });
            return file;
        },
        start: ({ id }) => `/f/${id}`,
        act: async (person) => {
            await person.press(person.page.locator('summary', { hasText: 'Reply' }));
            await person.write(person.page.getByLabel('Your reply'), 'Nine is fine.');
            await person.press(person.button('Reply'));
            await person.sees('Nine is fine.');
            await person.press(person.button('Resolve'));
            await person.page.locator('.state', { hasText: 'Resolved' }).first().waitFor();
        },
        check: async ({ id }) => {
            const { items } = await ada('GET', `/v1/files/${id}/comments`);
            assert.deepEqual(items.map(({ status }) => status).sort(), ['open', 'resolved']);
        },
    },
    'hand out a link': {
        make: (way) => made(`Shown ${way}`, 'For all of us.'),
        start: '/w',
        act: async (person) => {
            await person.write(person.page.getByRole('searchbox'), `Shown ${person.way}`);
            await person.press(person.button('Find'));
            await person.press(person.link(new RegExp(`^Shown ${person.way}`)));
            await person.sees('For all of us.');
            // The address of the page is the link: it leads others through the sign-in, to the file.
            const other = await (await browser.newContext()).newPage();
            await other.goto(person.page.url());
            await other.getByRole('button', { name: /Bob/ }).click();
            await other.getByText('For all of us.').waitFor();
            await other.context().close();
        },
    },
    'make a webhook': {
        start: '/w',
        act: async (person) => {
            await person.press(person.link('Webhooks'));
            await person.write(person.page.getByLabel(/^URL of the endpoint/), `https://hooks.example.com/${person.way}`);
            await person.press(person.button('Create the webhook'));
            assert.match(await person.page.getByLabel('Secret').inputValue(), /^whsec_/);
            await person.press(person.link('Continue to the webhook'));
            await person.sees('Waiting for its endpoint');
        },
        check: async (_, way) => {
            const { webhooks } = await ada('GET', '/v1/webhooks');
            const { id } = webhooks.find((webhook) => webhook.url.endsWith(`/${way}`));
            await ada('POST', `/v1/webhooks/${id}/revoke`, {});
        },
    },
    'read an order': {
        person: /everything/,
        start: `${at('orders')}/orders`,
        act: async (person) => {
            await person.press(person.page.getByRole('table').getByRole('link'));
            await person.sees('What has happened');
        },
    },
    "check an event's proof": {
        person: null,
        start: `${at('trust')}/`,
        act: async (person) => {
            await person.press(person.page.getByRole('table').getByRole('link'));
            await person.sees('This browser has computed the same root');
        },
    },
};

// A token of an agent with a grant of its own.
function agentNamed(name) {
    const actor = { type: 'agent', id: name.toLowerCase().replace(' ', '-'), display_name: name };
    const claims = ['--sub', actor.id, '--claim', `actor=${JSON.stringify(actor)}`];
    const arguments_ = ['token', '--data', dirname(process.env.STACK), '--surface', 'cloud', ...claims];
    return execFileSync(process.env.DEVSTACK, arguments_, { encoding: 'utf8' }).trim();
}

before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    agent = agentNamed('Helper');
    const place = mkdtempSync(join(tmpdir(), 'tasks-'));
    folder = { name: 'Fair in pictures', path: join(place, 'Fair in pictures'), place };
    mkdirSync(folder.path);
    const bytes = 200 * MIB;
    for (let index = 0; index < 30; index += 1) {
        const size = Math.floor(bytes / 30) + (index < bytes % 30 ? 1 : 0);
        writeFileSync(join(folder.path, `Picture ${index}.bin`), Buffer.alloc(size, `picture ${index} `));
    }
});

after(async () => {
    await browser?.close();
    rmSync(folder.place, { recursive: true });
    const cells = rows.map(({ task, way, clicks, keys, seconds }) => `| ${task} | ${way} | ${clicks} | ${keys} | ${seconds} |`);
    const table = ['| task | way | clicks | keys and words | seconds of the browser |', '|---|---|---|---|---|', ...cells].join('\n');
    writeFileSync(join(pictures, 'tasks.md'), `${table}\n`);
    console.log(table);
});

for (const way of Object.keys(WAYS)) {
    for (const [task, { person = /Ada/, start, make = async () => null, act, check = async () => {} }] of Object.entries(TASKS)) {
        test(`${way}: ${task}`, async () => {
            const scene = await make(way);
            const context = await browser.newContext({ ...WAYS[way], reducedMotion: 'reduce' });
            const page = await context.newPage();
            const faults = [];
            page.on('pageerror', (error) => faults.push(String(error)));
            const path = typeof start === 'function' ? start(scene) : start;
            if (person) await signIn(page, person, path);
            else await page.goto(path);
            await page.waitForLoadState('load');
            const somebody = new Person(page, way);
            const began = performance.now();
            await act(somebody, scene);
            const seconds = ((performance.now() - began) / 1_000).toFixed(1);
            await check(scene, way);
            const [needed, has] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
            assert.ok(needed <= has, `${needed} px on a screen of ${has}`);
            assert.deepEqual(faults, []);
            await page.screenshot({ path: join(pictures, `task-${way}-${task.replaceAll(/[^a-z]+/g, '-')}.png`) });
            rows.push({ task, way, clicks: somebody.clicks, keys: somebody.keys, seconds });
            await context.close();
        });
    }
}
