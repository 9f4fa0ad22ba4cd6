// Lighthouse on pages of a person who has signed in. The last line says whether all goals are met.
import { readFileSync } from 'node:fs';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const GOALS = { performance: 95, accessibility: 100, 'best-practices': 95 };
const stack = JSON.parse(readFileSync(process.env.STACK, 'utf8'));
const cloud = stack.surfaces.cloud.base_url;

async function api(method, path, body, headers = {}) {
    const answer = await fetch(cloud + path, {
        method,
        headers: {
            authorization: `Bearer ${stack.tokens.cloud.ada}`,
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
            ...headers,
        },
        body: JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
}

/** The cookie of Ada's session, by the requests that a browser makes. */
async function session() {
    const cookies = new Map();
    const visit = async (url, options = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { redirect: 'manual', ...options, headers: { ...options.headers, cookie } });
        for (const header of answer.headers.getSetCookie()) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(header);
            cookies.set(name, value);
        }
        return answer.headers.get('location');
    };
    const authorize = new URL(await visit(`${cloud}/sign-in?return_to=/w`));
    const form = new URLSearchParams([...authorize.searchParams, ['person', 'ada']]);
    await visit(await visit(authorize.origin + authorize.pathname, { method: 'POST', body: form }));
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

async function pages() {
    const text = Array.from({ length: 40 }, (_, at) => `## Part ${at}\n\n${'Words of a long document. '.repeat(40)}`).join('\n\n');
    const document = (await api('POST', '/v1/imports', { name: 'Long document', format: 'markdown', text })).file;
    const cells = Array.from({ length: 200 }, (_, row) => Array.from({ length: 12 }, (_, column) => (column === 11 ? `=SUM(A${row + 1}:K${row + 1})` : `${row * column}`)));
    const content = { kind: 'sheets', sheets: [{ name: 'Budget', cells }] };
    const sheet = (await api('POST', '/v1/spreadsheets', { name: 'Budget', content })).file;
    const operations = [{ op: 'set_cells', range: 'Budget!A1:B2', values: [[5, 6], [7, 8]] }];
    const edit = await api('POST', `/v1/files/${sheet.id}/edit-plans`, { operations }, { 'if-match': sheet.etag });
    return {
        home: '/w',
        document: `/f/${document.id}`,
        sheet: `/f/${sheet.id}`,
        review: `/f/${sheet.id}/plans/${edit.plan.id}`,
    };
}

const shown = await pages();
const cookie = await session();
const chrome = await launch({
    chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
let missed = 0;
try {
    for (const [name, path] of Object.entries(shown)) {
        const { lhr } = await lighthouse(cloud + path, { port: chrome.port, onlyCategories: Object.keys(GOALS), extraHeaders: { Cookie: cookie }, logLevel: 'error' });
        if (new URL(lhr.finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`);
        const scores = Object.entries(lhr.categories).map(([id, { score }]) => [id, Math.round(score * 100)]);
        const bytes = lhr.audits['total-byte-weight'].numericValue;
        console.log(`${name}: ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}, ${Math.round(bytes / 1024)} KiB`);
        for (const [id, score] of scores.filter(([id, score]) => score < GOALS[id])) {
            missed += 1;
            const audits = lhr.categories[id].auditRefs.filter(({ weight, id }) => weight && (lhr.audits[id].score ?? 1) < 0.9);
            console.log(`  ${id} ${score}, goal ${GOALS[id]}: ${audits.map(({ id }) => `${id} (${lhr.audits[id].displayValue ?? lhr.audits[id].title})`).join('; ')}`);
        }
    }
} finally {
    await chrome.kill();
}
console.log(missed ? `${missed} goals missed` : 'all goals met');
process.exitCode = missed ? 1 : 0;
