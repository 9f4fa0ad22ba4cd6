// Small files of other programs, made here: a picture, a sound, and a PDF with a script in it.
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one color. */
export function picture(width, height) {
    const chunk = (name, data) => {
        const [head, tail, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name), data])];
        head.writeUInt32BE(data.length);
        tail.writeUInt32BE(crc32(named));
        return Buffer.concat([head, named, tail]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width);
    header.writeUInt32BE(height, 4);
    header.set([8, 2], 8);
    const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([30, 120, 200]))]);
    const rows = deflateSync(Buffer.concat(Array(height).fill(row)));
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** A WAV of so many seconds of silence. */
export function sound(seconds) {
    const rate = 8_000, data = Buffer.alloc(seconds * rate, 128), header = Buffer.alloc(44);
    header.write('RIFF');
    header.writeUInt32LE(36 + data.length, 4);
    header.write('WAVEfmt ', 8);
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(rate, 24);
    header.writeUInt32LE(rate, 28);
    header.writeUInt16LE(1, 32);
    header.writeUInt16LE(8, 34);
    header.write('data', 36);
    header.writeUInt32LE(data.length, 40);
    return Buffer.concat([header, data]);
}

/** A PDF that opens a dialog as soon as a reader opens it. */
export function pdf() {
    const text = 'BT /F1 40 Tf 30 100 Td (Seen) Tj ET';
    const objects = [
        '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\("pdf"\\))>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
        `<</Length ${text.length}>>stream\n${text}\nendstream`,
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ];
    let out = '%PDF-1.4\n';
    const places = objects.map((object, index) => {
        const place = out.length;
        out += `${index + 1} 0 obj${object}endobj\n`;
        return `${String(place).padStart(10, '0')} 00000 n \n`;
    });
    const table = out.length;
    out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
    return Buffer.from(`${out}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF`);
}
