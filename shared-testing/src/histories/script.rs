//! A history as lines for a shell.

use std::fmt::Write as _;

use super::{
    command::{Command, Way},
    step::Trouble,
    symbols::{Told, parts},
};

/// The request, with variables for what earlier answers have told, and the assignments of what its own answer tells.
pub fn line<M>(command: &Command<M>, trouble: Trouble, answer: &str, told: &Told) -> String {
    let mut line = format!("# step {}: {} {}", command.number, command.who, command.operation);
    if trouble != Trouble::None {
        let _ = write!(line, " ({trouble:?})");
    }
    let _ = writeln!(line, " -> {answer}");
    if command.way == Way::Operator {
        let _ = write!(line, "$PROGRAM {}", quoted(&command.words.join(" ")));
        return line;
    }
    if let (Way::Page, Some(form)) = (command.way, &command.form) {
        let option = if form.file.is_some() { "-F" } else { "--data-urlencode" };
        let _ = write!(line, "curl -s \"$URL{}\" -b \"$SESSION_OF_{}\"", quoted(&form.path), command.who);
        let _ = write!(line, " {option} \"csrf=$CSRF_OF_{}\"", command.who);
        if let Some(key) = &command.key {
            let _ = write!(line, " {option} \"key={key}\"");
        }
        for (name, value) in &form.fields {
            let _ = write!(line, " {option} \"{name}={}\"", quoted(value));
        }
        if let (Some(field), Some(bytes)) = (form.file, &command.bytes) {
            let text = String::from_utf8_lossy(bytes);
            let _ = write!(line, " -F \"{field}={};filename=part\"", quoted(&text));
        }
        assign(&mut line, told);
        return line;
    }
    let (method, path) =
        if command.way == Way::Mcp { ("POST", "/mcp?structured=true") } else { (command.method, &*command.path) };
    let _ = write!(line, "curl -s -X {method} \"$URL{}\" -H \"Authorization: Bearer ${}\"", quoted(path), command.who);
    if command.way == Way::Mcp {
        let message = command.message().unwrap_or_default().to_string();
        let _ = write!(line, " -H \"Content-Type: application/json\" -d \"{}\"", quoted(&message));
    } else {
        if let Some(key) = &command.key {
            let _ = write!(line, " -H \"Idempotency-Key: {key}\"");
        }
        for (name, value) in &command.headers {
            let _ = write!(line, " -H \"{name}: {}\"", quoted(value));
        }
        if let Some(body) = &command.body {
            let _ = write!(line, " -H \"Content-Type: application/json\" -d \"{}\"", quoted(&body.to_string()));
        }
        if let Some(bytes) = &command.bytes {
            let text = String::from_utf8_lossy(bytes);
            let _ = write!(line, " -H \"Content-Type: application/octet-stream\" -d \"{}\"", quoted(&text));
        }
    }
    assign(&mut line, told);
    line
}

/// Adds the assignments of what the answer tells.
fn assign(line: &mut String, told: &Told) {
    if !told.is_empty() {
        line.push_str(" > answer");
        for (symbol, at) in told {
            let _ = write!(line, "; {}=$(jq -r '{at}' answer)", symbol.trim_start_matches('$'));
        }
    }
}

/// For double quotes; symbols become variables.
fn quoted(text: &str) -> String {
    let quote = |part: &str| part.replace('\\', "\\\\").replace('"', "\\\"").replace('`', "\\`");
    let part = |(part, is_symbol): (&str, bool)| {
        if is_symbol { format!("${{{}}}", part.trim_start_matches('$')) } else { quote(part) }
    };
    parts(text).into_iter().map(part).collect()
}
