//! Shortens an answer that is too long for one result. Its longest parts are replaced with their lengths until it fits.

use serde_json::{Value, json};

// Shorter parts are worth more to a model than the space they take.
const MIN_OMITTED_BYTES: usize = 512;

/// JSON pointers of the omitted parts. Afterwards the value has about `max` bytes, or nothing long is left in it.
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
        // The longest first, so that as much as possible around it stays.
        long.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let mut left = bytes;
        for (at, part) in long {
            if left <= max {
                break;
            }
            if let Some(place) = value.pointer_mut(&at) {
                *place = json!({"omitted_bytes": part});
                // Estimated: the whole is measured again in the next round.
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
    // A list of many short items counts as one part.
    if found.len() == before && !at.is_empty() {
        let bytes = length(value);
        if bytes > MIN_OMITTED_BYTES {
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
    fn the_longest_part_is_replaced_first_with_its_length() {
        let mut value = json!({"a": "x".repeat(2_000), "b": ["y".repeat(1_000), "z"], "id": "file_1"});
        assert_eq!(shorten(&mut value, 1_200), ["/a"]);
        assert_eq!(value["a"], json!({"omitted_bytes": 2_002}));
        assert_eq!(shorten(&mut value, 100), ["/b/0"]);
        assert_eq!(value["id"], "file_1");
        assert!(shorten(&mut value, 1).is_empty(), "nothing long is left");
    }

    #[test]
    fn a_list_of_many_short_items_is_one_part() {
        let mut value = json!({"items": vec!["abc"; 5_000]});
        assert_eq!(shorten(&mut value, 1_000), ["/items"]);
    }
}
