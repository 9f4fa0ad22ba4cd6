//! Symbols for what a service decides: `$file7` stands for the id of the file that step 7 made.

use std::collections::BTreeMap;

use serde_json::Value;

/// The values of symbols, as far as answers have told them.
pub type Bound = BTreeMap<String, Value>;

/// A symbol that was told by an answer, and the place in the answer.
pub type Told = Vec<(String, String)>;

/// Stands for any value in a pattern.
pub const ANY: &str = "*";

/// The text with values in the place of symbols; none if a value is not known.
pub fn fill(text: &str, bound: &Bound) -> Option<String> {
    let mut filled = String::with_capacity(text.len());
    for (part, is_symbol) in parts(text) {
        match is_symbol {
            false => filled.push_str(part),
            true => match bound.get(part)? {
                Value::String(value) => filled.push_str(value),
                other => filled.push_str(&other.to_string()),
            },
        }
    }
    Some(filled)
}

pub fn fill_json(value: &Value, bound: &Bound) -> Option<Value> {
    Some(match value {
        // The value itself, which may be more than a text.
        Value::String(text) if is_symbol(text) => bound.get(text)?.clone(),
        Value::String(text) => Value::String(fill(text, bound)?),
        Value::Array(items) => Value::Array(items.iter().map(|item| fill_json(item, bound)).collect::<Option<_>>()?),
        Value::Object(members) => {
            let filled = members.iter().map(|(name, value)| Some((name.clone(), fill_json(value, bound)?)));
            Value::Object(filled.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// The text in parts, each with whether it is a symbol.
pub fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        let length = rest[start + 1..].find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '_');
        let end = length.map_or(rest.len(), |length| start + 1 + length);
        found.push((&rest[..start], false));
        found.push((&rest[start..end], true));
        rest = &rest[end..];
    }
    found.push((rest, false));
    found.retain(|(part, _)| !part.is_empty());
    found
}

fn is_symbol(text: &str) -> bool {
    parts(text).as_slice() == [(text, true)]
}

/// Compares an answer with a pattern: objects may have more members than it names. Gives symbols their values.
pub fn unify(pattern: &Value, found: &Value, at: &str, bound: &mut Bound, told: &mut Told) -> Result<(), String> {
    let differs =
        || Err(format!("{}: expected {pattern}, found {}", if at.is_empty() { "." } else { at }, short(found)));
    match (pattern, found) {
        (Value::String(text), _) if text == ANY => Ok(()),
        (Value::String(text), _) if is_symbol(text) => match bound.get(text) {
            Some(value) if value == found => Ok(()),
            Some(value) => Err(format!("{at}: expected {text}, which is {}, found {}", short(value), short(found))),
            // Two symbols never have the same value: otherwise two files could have one id. Symbols with `$x` may.
            None if found.is_null() => differs(),
            None if !text.starts_with("$x") && bound.values().any(|value| value == found) => differs(),
            None => {
                bound.insert(text.clone(), found.clone());
                told.push((text.clone(), at.to_owned()));
                Ok(())
            }
        },
        (Value::Object(members), Value::Object(others)) => members.iter().try_for_each(|(name, value)| {
            unify(value, others.get(name).unwrap_or(&Value::Null), &format!("{at}.{name}"), bound, told)
        }),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.try_for_each(|(index, (item, other))| unify(item, other, &format!("{at}[{index}]"), bound, told))
        }
        _ if pattern == found => Ok(()),
        _ => differs(),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.len() <= 600 { text } else { format!("{}…", text.chars().take(600).collect::<String>()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_gives_symbols_their_values_and_is_held_to_them() {
        let (mut bound, mut told) = (Bound::new(), Told::new());
        let pattern = json!({"file": {"id": "$file1", "name": "A"}});
        let answer = |id: &str| json!({"file": {"id": id, "name": "A", "more": 1}});
        assert_eq!(unify(&pattern, &answer("file_1"), "", &mut bound, &mut told), Ok(()));
        assert_eq!(told, [("$file1".to_owned(), ".file.id".to_owned())]);
        assert!(unify(&pattern, &answer("file_2"), "", &mut bound, &mut told).is_err());
        let another = json!({"file": {"id": "$file2"}});
        assert!(unify(&another, &answer("file_1"), "", &mut bound, &mut told).is_err(), "one id for two files");
        assert_eq!(fill("/v1/files/$file1/rename", &bound).as_deref(), Some("/v1/files/file_1/rename"));
        assert_eq!(fill("/v1/files/$file3", &bound), None);
    }
}
