//! Writing JSON values as RFC 8785 asks, into one text.

use serde_json::{Map, Number, Value};

use super::numbers::MAX_INTEGER;

fn value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => self::number(out, number),
        Value::String(text) => string(out, text),
        Value::Array(items) => list(out, ['[', ']'], items, self::value),
        Value::Object(members) => object(out, members),
    }
}

/// An object, its members sorted by their names as UTF-16 (§3.2.3).
pub fn object(out: &mut String, members: &Map<String, Value>) {
    let member = |out: &mut String, (name, value): (&String, &Value)| {
        string(out, name);
        out.push(':');
        self::value(out, value);
    };
    // Among ASCII the order of bytes is that of UTF-16, and mostly that is how the map keeps them.
    if members.keys().all(|name| name.is_ascii()) && members.keys().is_sorted() {
        return list(out, ['{', '}'], members, member);
    }
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    list(out, ['{', '}'], sorted, member);
}

fn list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    write: impl Fn(&mut String, T),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(close);
}

/// A number as ECMAScript writes it (§3.2.2.3), which knows doubles only: up to 2^53 an integer is written as it is.
fn number(out: &mut String, number: &Number) {
    match number.as_i64() {
        Some(integer) if integer.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => {
            out.push_str(itoa::Buffer::new().format(integer));
        }
        _ => {
            let double = number.as_f64().expect("a number of JSON without arbitrary precision is a finite double");
            out.push_str(ryu_js::Buffer::new().format_finite(double));
        }
    }
}

/// A string with the fewest escapes (§3.2.2.2): what needs none is written in runs.
fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            b'\t' => "\\t",
            b'\n' => "\\n",
            0x0c => "\\f",
            b'\r' => "\\r",
            0..0x20 => "\\u00",
            _ => continue,
        };
        // The byte is ASCII: characters begin at it and after it.
        out.push_str(&text[written..at]);
        out.push_str(escape);
        if escape == "\\u00" {
            out.push(if byte < 0x10 { '0' } else { '1' });
            out.push(char::from(b"0123456789abcdef"[usize::from(byte % 0x10)]));
        }
        written = at + 1;
    }
    out.push_str(&text[written..]);
    out.push('"');
}
