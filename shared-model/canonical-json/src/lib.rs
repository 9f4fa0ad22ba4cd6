#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use serde_json::{Map, Number, Value};

/// The largest integer that every JSON implementation reads alike (RFC 7493 §2.2).
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

pub fn value_text(value: &Value) -> String {
    let mut text = String::with_capacity(256);
    write_value(&mut text, value);
    text
}

pub fn object_text(object: &Map<String, Value>) -> String {
    let mut text = String::with_capacity(256);
    write_object(&mut text, object);
    text
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(out, number),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_list(out, ['[', ']'], items, write_value),
        Value::Object(members) => write_object(out, members),
    }
}

fn write_object(out: &mut String, members: &Map<String, Value>) {
    let member = |out: &mut String, (name, value): (&String, &Value)| {
        write_string(out, name);
        out.push(':');
        write_value(out, value);
    };
    // Among ASCII names, byte order is UTF-16 order. serde_json's map is usually in that order already, so most objects
    // need no sorting.
    if members.keys().all(|name| name.is_ascii()) && members.keys().is_sorted() {
        return write_list(out, ['{', '}'], members, member);
    }
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    write_list(out, ['{', '}'], sorted, member);
}

fn write_list<T>(
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

fn write_number(out: &mut String, number: &Number) {
    match number.as_i64() {
        // ECMAScript has doubles only. Up to 2^53 a double writes an integer digit by digit, so the faster integer
        // writer gives the same text.
        Some(integer) if integer.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => {
            out.push_str(itoa::Buffer::new().format(integer));
        }
        _ => {
            let double = number.as_f64().expect("without arbitrary precision a JSON number is a finite double");
            out.push_str(ryu_js::Buffer::new().format_finite(double));
        }
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    // Text between escapes is copied in one piece: most strings have no escape.
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
        // The byte is ASCII, so both slices begin and end between characters.
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
