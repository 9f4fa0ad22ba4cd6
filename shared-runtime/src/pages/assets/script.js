// What pages do better with a script: local times, a note when a page is out of date, keys, uploads in parts.
// Every page works without it. It has no text of the content, and makes elements only with `createElement`.
// @ts-check
'use strict';

(() => {
    // In the language of the page, which brings them along.
    /** @type {Record<string, string>} */
    const words = JSON.parse(/** @type {HTMLScriptElement} */ (document.currentScript).dataset.words ?? '{}');
    const { lang } = document.documentElement;

    /**
     * @template {keyof HTMLElementTagNameMap} N
     * @param {N} name @param {Record<string, string>} attributes @param {(Node | string)[]} inside
     */
    function make(name, attributes = {}, ...inside) {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.append(...inside);
        return element;
    }

    /** @param {string} text @param {() => void} act @param {string} look */
    function button(text, act, look = 'quiet') {
        const made = make('button', { type: 'button', class: look }, text);
        made.addEventListener('click', act);
        return made;
    }

    // ── Times in the zone of the reader

    const absolute = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
    const relative = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
    /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
    const UNITS = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]];
    const WEEK = 7 * 86_400;

    function showTimes() {
        for (const element of document.querySelectorAll('time[datetime]')) {
            const at = Date.parse(element.getAttribute('datetime') ?? '');
            if (Number.isNaN(at)) continue;
            const full = absolute.format(at);
            const seconds = Math.round((at - Date.now()) / 1000);
            const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
            const near = Math.abs(seconds) < WEEK;
            element.textContent = near ? relative.format(Math.trunc(seconds / length), unit) : full;
            element.setAttribute('title', full);
        }
    }

    showTimes();
    setInterval(showTimes, 30_000);

    // ── A page that is out of date

    const main = /** @type {HTMLElement} */ (document.querySelector('main'));
    const watched = main.dataset.watch;
    const WATCH_MS = 15_000;

    /** @param {string} path */
    async function watch(path) {
        // Only while somebody looks: a hundred open tabs must not use up the limit of their person.
        if (document.visibilityState !== 'visible') return false;
        const answer = await fetch(path, { headers: { accept: 'application/json' }, redirect: 'manual' });
        if (!answer.ok) return false;
        const { is_current, by } = await answer.json();
        if (is_current) return false;
        const reload = make('a', { href: location.href.split('#')[0] ?? '', class: 'button quiet' }, words.load);
        const note = make('div', { class: 'alert outdated', role: 'status' }, make('p', {}, make('strong', {}, words.outdated)));
        if (by) note.firstElementChild?.append(` ${words.by} `, make('bdi', {}, by), '.');
        note.append(reload);
        main.prepend(note);
        return true;
    }

    if (watched) {
        let isOver = false;
        const look = async () => {
            // Without the line there is nothing to say. It is asked again later.
            if (!isOver) isOver = await watch(watched).catch(() => false);
        };
        setInterval(look, WATCH_MS);
        document.addEventListener('visibilitychange', look);
    }

    // ── Keys

    const OFF = 'keys-off';
    const keyed = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[aria-keyshortcuts]')]);

    /** @param {HTMLElement} element */
    const labelOf = (element) => element.getAttribute('aria-label')
        ?? (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent)?.trim() ?? '';

    function listKeys() {
        const list = make('dl', { class: 'facts' });
        for (const element of keyed()) {
            list.append(make('div', {}, make('dt', {}, make('kbd', {}, element.getAttribute('aria-keyshortcuts') ?? '')), make('dd', {}, labelOf(element))));
        }
        list.append(make('div', {}, make('dt', {}, make('kbd', {}, '?')), make('dd', {}, words.thisList)));
        const box = make('input', { type: 'checkbox' });
        box.checked = !localStorage.getItem(OFF);
        box.addEventListener('change', () => box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '1'));
        const dialog = make('dialog', { 'aria-label': words.keys }, make('h2', {}, words.keys), list, make('label', { class: 'option' }, box, ` ${words.useKeys}`));
        dialog.append(button(words.close, () => dialog.close(), ''));
        dialog.addEventListener('close', () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
    }

    document.addEventListener('keydown', (event) => {
        const { target } = event;
        const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea, select, dialog[open] *');
        if (event.ctrlKey || event.altKey || event.metaKey || isTyping) return;
        // The list itself always opens: there the keys are turned on again.
        if (event.key === '?') return listKeys();
        if (localStorage.getItem(OFF)) return;
        const meant = keyed().find((element) => element.getAttribute('aria-keyshortcuts') === event.key);
        if (!meant) return;
        event.preventDefault();
        if (meant instanceof HTMLInputElement) meant.focus();
        else meant.click();
    });

    // ── SHA-256, piece by piece: the one of the browser needs the whole file in memory

    const ROOTS = (() => {
        const [k, h] = [new Uint32Array(64), new Uint32Array(8)];
        const part = (/** @type {number} */ x) => (x - Math.floor(x)) * 2 ** 32;
        for (let n = 2, found = 0; found < 64; n += 1) {
            let isPrime = true;
            for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false;
            if (!isPrime) continue;
            if (found < 8) h[found] = part(Math.sqrt(n));
            k[found] = part(Math.cbrt(n));
            found += 1;
        }
        return { k, h };
    })();

    function sha256() {
        const { k } = ROOTS;
        const h = ROOTS.h.slice();
        const w = new Uint32Array(64);
        const rest = new Uint8Array(64);
        let length = 0;
        /** @param {DataView} view @param {number} at */
        function block(view, at) {
            for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + 4 * i);
            for (let i = 16; i < 64; i += 1) {
                const x = w[i - 15], y = w[i - 2];
                w[i] = w[i - 16] + w[i - 7]
                    + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
                    + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
            }
            let [a, b, c, d, e, f, g, i] = h;
            for (let n = 0; n < 64; n += 1) {
                const t = i + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + k[n] + w[n] | 0;
                const u = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
                i = g; g = f; f = e; e = d + t | 0; d = c; c = b; b = a; a = t + u | 0;
            }
            [a, b, c, d, e, f, g, i].forEach((value, n) => { h[n] += value; });
        }
        return {
            /** @param {Uint8Array} bytes */
            add(bytes) {
                let at = 0;
                const held = length % 64;
                length += bytes.length;
                if (held) {
                    at = Math.min(64 - held, bytes.length);
                    rest.set(bytes.subarray(0, at), held);
                    if (held + at < 64) return;
                    block(new DataView(rest.buffer), 0);
                }
                const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
                for (; at + 64 <= bytes.length; at += 64) block(view, at);
                rest.set(bytes.subarray(at));
            },
            hex() {
                const bits = length;
                const end = new Uint8Array((bits % 64 < 56 ? 64 : 128) - bits % 64);
                end[0] = 0x80;
                const view = new DataView(end.buffer);
                view.setUint32(end.length - 8, Math.floor(bits / 2 ** 29));
                view.setUint32(end.length - 4, bits * 8 % 2 ** 32);
                this.add(end);
                return [...h].map((word) => word.toString(16).padStart(8, '0')).join('');
            },
        };
    }

    // ── Uploads in parts

    const CHUNK = 1_048_576;
    // Several chunks in a request: pages have a limit of requests in a minute.
    const CHUNKS_AT_ONCE = 4;
    const MEMORY = 'upload ';
    const sleep = (/** @type {number} */ ms) => new Promise((wake) => { setTimeout(wake, ms); });

    /** A refusal, with the words of its page. */
    class Refused extends Error {
        /** @param {string} message @param {number} status */
        constructor(message, status) {
            super(message);
            this.status = status;
        }
    }

    /** @param {HTMLFormElement} form @param {HTMLInputElement} input */
    function uploads(form, input) {
        const csrf = /** @type {HTMLInputElement} */ (form.elements.namedItem('csrf')).value;
        const place = /** @type {HTMLInputElement} */ (form.elements.namedItem('in')).value;
        const list = make('ul', { class: 'uploads', 'aria-live': 'polite' });
        form.append(make('p', { class: 'note' }, words.drop));
        form.after(list);
        input.multiple = true;

        /** @param {string} path @param {BodyInit | null} body @param {(text: string) => void} say */
        async function send(path, body, say) {
            for (let wait = 1_000; ; wait = Math.min(2 * wait, 30_000)) {
                /** @type {Response} */
                let answer;
                try {
                    // A redirect of a GET leads to the sign-in, on another host, which no script can follow.
                    answer = await fetch(path, body ? { method: 'POST', body } : { redirect: 'manual' });
                } catch {
                    say(words.offline);
                    await sleep(wait);
                    continue;
                }
                if (answer.ok) return answer;
                if (answer.type === 'opaqueredirect' || answer.status === 401) {
                    // The page leads to the sign-in and back, and then lists the interrupted uploads.
                    location.reload();
                    return new Promise(() => {});
                }
                const after = answer.headers.get('retry-after');
                if (after || answer.status === 429 || answer.status >= 502) {
                    // It may be a date.
                    const asked = 1_000 * Number(after);
                    await sleep(asked > 0 ? asked : wait);
                    continue;
                }
                const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
                throw new Refused(page.querySelector('main .alert p, main p')?.textContent ?? String(answer.status), answer.status);
            }
        }

        // A session may also expire without a sign-out.
        const who = document.querySelector('.who bdi')?.textContent;
        const own = (/** @type {string} */ folder) => `${MEMORY}${who} ${folder} `;

        /** @param {Record<string, string>} fields */
        const fields = (fields) => new URLSearchParams({ csrf, ...fields });

        /** @param {File} file @param {string} folder */
        async function upload(file, folder) {
            const bar = make('progress', { max: '1', value: '0', 'aria-label': file.name });
            const said = make('span', { class: 'note' }, words.waiting);
            const say = (/** @type {string} */ text) => { said.textContent = text; };
            let isPaused = false;
            let wake = () => {};
            const hold = button(words.pause, () => {
                isPaused = !isPaused;
                hold.textContent = isPaused ? words.resume : words.pause;
                wake();
            });
            list.append(make('li', {}, make('bdi', {}, file.name), ' ', bar, ' ', said, ' ', hold));
            const memory = `${own(folder)}${file.name} ${file.size} ${file.lastModified}`;
            try {
                say(words.reading);
                const hash = sha256();
                for (let at = 0; at < file.size; at += CHUNK) hash.add(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()));
                // The same key again begins nothing new: it answers with the upload that was interrupted.
                const key = localStorage.getItem(memory) ?? `page-${crypto.randomUUID()}`;
                const isNew = !localStorage.getItem(memory);
                localStorage.setItem(memory, key);
                const begun = await send('/w/uploads', fields({ key, in: folder, name: file.name, mime: file.type, size: String(file.size), sha256: hash.hex() }), say)
                    .catch((error) => {
                        // What was never begun is not interrupted.
                        if (isNew && error instanceof Refused) localStorage.removeItem(memory);
                        throw error;
                    });
                const { upload } = await begun.json();
                let { next } = await (await send(`/w/uploads/${upload}`, null, say)).json();
                while (next * CHUNK < file.size) {
                    bar.value = next * CHUNK / file.size;
                    say(`${Math.floor(100 * bar.value)} %`);
                    // eslint-disable-next-line no-loop-func
                    while (isPaused) await new Promise((/** @type {(value: void) => void} */ done) => { wake = done; });
                    const part = new FormData();
                    part.append('csrf', csrf);
                    part.append('index', String(next));
                    part.append('part', file.slice(next * CHUNK, (next + CHUNKS_AT_ONCE) * CHUNK), 'part');
                    ({ next } = await (await send(`/w/uploads/${upload}`, part, say)).json());
                }
                const done = await send(`/w/uploads/${upload}/complete`, fields({ key }), say);
                localStorage.removeItem(memory);
                bar.value = 1;
                say(`${words.done}. `);
                said.append(make('a', { href: new URL(done.url).pathname }, words.open));
            } catch (error) {
                // Other errors may be temporary, and then the upload continues where it was.
                if (error instanceof Refused && [404, 409, 422].includes(error.status)) localStorage.removeItem(memory);
                say(error instanceof Refused ? error.message : String(error));
            }
            hold.remove();
        }

        /** The folder of this name in another, made now. @param {string} name @param {string} folder */
        async function makeFolder(name, folder) {
            const made = await send('/w/new', fields({ key: `page-${crypto.randomUUID()}`, kind: 'folder', in: folder, name }), () => {});
            return new URL(made.url).pathname.replace('/f/', '');
        }

        /** @param {FileSystemEntry} entry @param {string} folder */
        async function enter(entry, folder) {
            if (entry.isFile) {
                const file = await new Promise((done, fail) => { /** @type {FileSystemFileEntry} */ (entry).file(done, fail); });
                return upload(file, folder);
            }
            const inside = await makeFolder(entry.name, folder);
            const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
            for (;;) {
                /** @type {FileSystemEntry[]} */
                const entries = await new Promise((done, fail) => { reader.readEntries(done, fail); });
                if (!entries.length) return;
                for (const each of entries) await enter(each, inside);
            }
        }

        form.addEventListener('submit', async (event) => {
            event.preventDefault();
            const chosen = [...input.files ?? []];
            form.reset();
            for (const file of chosen) await upload(file, place);
        });
        document.addEventListener('dragover', (event) => event.preventDefault());
        document.addEventListener('drop', async (event) => {
            event.preventDefault();
            const items = [...event.dataTransfer?.items ?? []];
            // All at once: after the first pause the browser has forgotten what was dropped.
            const entries = items.map((item) => item.webkitGetAsEntry());
            for (const entry of entries) {
                if (entry) await enter(entry, place).catch((error) => list.append(make('li', {}, String(error.message))));
            }
        });
        for (const memory of Object.keys(localStorage).filter((name) => name.startsWith(own(place)))) {
            const name = memory.slice(own(place).length).replace(/ \d+ \d+$/, '');
            const item = make('li', {}, `${words.interrupted} `, make('bdi', {}, name), ' ');
            item.append(button(words.remove, () => { localStorage.removeItem(memory); item.remove(); }));
            list.append(item);
        }
    }

    // The next person at this computer must not find names of files.
    document.addEventListener('submit', ({ target }) => {
        if (!(target instanceof HTMLFormElement) || target.getAttribute('action') !== '/sign-out') return;
        for (const name of Object.keys(localStorage)) if (name.startsWith(MEMORY)) localStorage.removeItem(name);
    });

    const input = document.querySelector('form[enctype="multipart/form-data"] input[type=file]');
    if (input instanceof HTMLInputElement && input.form) uploads(input.form, input);

    // ── The proof of an event, computed again in this browser

    /** @param {DOMStringMap} data */
    async function proves({ entry = '', index = '', size = '', path = '', checkpoint = '', key = '' }) {
        /** @param {string} text */
        const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        /** @param {number} kind @param {Uint8Array<ArrayBuffer>[]} parts */
        const hash = async (kind, ...parts) =>
            new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob([Uint8Array.of(kind), ...parts]).arrayBuffer()));
        // RFC 9162, 2.1.3.2: at the right edge of the tree an entry has no sibling on some levels.
        let [node, last, root] = [Number(index), Number(size) - 1, await hash(0, bytes(entry))];
        const up = () => { node = Math.floor(node / 2); last = Math.floor(last / 2); };
        for (const each of path.split(' ').filter(Boolean)) {
            const isLeft = node % 2 || node === last;
            root = await (isLeft ? hash(1, bytes(each), root) : hash(1, root, bytes(each)));
            while (isLeft && node % 2 === 0 && node) up();
            up();
        }
        const [text, signatures] = checkpoint.split('\n\n');
        const [, sizeThere, rootThere] = text.split('\n');
        if (last || sizeThere !== size || btoa(String.fromCharCode(...root)) !== rootThere) return words.otherRoot;
        const [, name = '', own = ''] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(key) ?? [];
        const line = signatures.split('\n').find((line) => line.startsWith(`— ${name} `)) ?? '';
        // Before the key stands its type, and before the signature the id of the key.
        const signed = await crypto.subtle.importKey('raw', bytes(own).slice(1), 'Ed25519', false, ['verify'])
            .then((known) => crypto.subtle.verify('Ed25519', known, bytes(line.split(' ')[2]).slice(4), new TextEncoder().encode(`${text}\n`)));
        return signed ? words.proven : words.otherKey;
    }

    const proof = document.querySelector('[data-checkpoint]');
    if (proof instanceof HTMLElement && crypto.subtle) {
        // An old browser has no Ed25519: then it says nothing, and the service has checked it already.
        proves(proof.dataset).then((verdict) => proof.append(make('p', { class: verdict === words.proven ? 'note' : 'alert' }, verdict)), () => {});
    }
})();
