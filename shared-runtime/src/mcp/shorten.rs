//! An answer that is too long for one result: its longest parts are replaced by how long they are, until it fits.

use serde_json::{Value, json};

/// Parts that are not longer than this stay.
const KEPT: usize = 512;

/// The pointers of what was left out, after which the value has about `max` bytes, or nothing long is left in it.
pub(super) fn shorten(value: &mut Value, max: usize) -> Vec<String> {
    let mut left_out = Vec::new();
    loop {
        let bytes = length(value);
        let mut long = Vec::new();
        if bytes > max {
            collect(value, String::new(), &mut long);
        }
        if long.is_empty() {
            return left_out;
        }
        // The longest first: what is around it stays.
        long.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let mut left = bytes;
        for (at, part) in long {
            if left <= max {
                break;
            }
            if let Some(place) = value.pointer_mut(&at) {
                *place = json!({"omitted_bytes": part});
                left -= part - length(place).min(part);
                left_out.push(at);
            }
        }
    }
}

fn collect(value: &Value, at: String, found: &mut Vec<(String, usize)>) {
    let before = found.len();
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| collect(item, format!("{at}/{index}"), found));
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
    // A list of many short things is left out as one.
    if found.len() == before && !at.is_empty() {
        let bytes = length(value);
        if bytes > KEPT {
            found.push((at, bytes));
        }
    }
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_goes_first_and_says_how_long_it_was() {
        let mut value = json!({"a": "x".repeat(2_000), "b": ["y".repeat(1_000), "z"], "id": "file_1"});
        assert_eq!(shorten(&mut value, 1_200), ["/a"]);
        assert_eq!(value["a"], json!({"omitted_bytes": 2_002}));
        assert_eq!(shorten(&mut value, 100), ["/b/0"]);
        assert_eq!(value["id"], "file_1");
        assert!(shorten(&mut value, 1).is_empty(), "nothing long is left");
    }

    #[test]
    fn many_short_things_are_one_long_one() {
        let mut value = json!({"items": vec!["abc"; 5_000]});
        assert_eq!(shorten(&mut value, 1_000), ["/items"]);
    }
}
