//! What parts of a content are called on pages: by their type and their first words, not by their ids.

use std::collections::HashMap;

use serde_json::{Map, Value};
use shared_runtime::pages::Text;

/// Characters of a part's text in its name.
const WORDS: usize = 40;

/// The names of the parts of a content, by id.
#[derive(Debug, Default)]
pub struct PartNames(HashMap<String, String>);

impl PartNames {
    /// The blocks of a document, the pages, slides and elements of others.
    pub fn of(content: &Value) -> Self {
        let mut names = Self::default();
        names.take(content, false);
        names
    }

    pub fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    // Contents nest three deep: pages, their elements, and their text.
    fn take(&mut self, value: &Value, are_slides: bool) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.take(item, are_slides)),
            Value::Object(members) => {
                if let (Some(id), Some(name)) = (members.get("id").and_then(Value::as_str), named(members, are_slides))
                {
                    self.0.insert(id.to_owned(), name);
                }
                members.iter().for_each(|(key, member)| self.take(member, key == "slides"));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The name of a part itself; `None` if the value is none.
pub fn name(value: &Value, is_slide: bool) -> Option<String> {
    named(value.as_object()?, is_slide)
}

/// What a member of a content or of a part is called.
pub fn member(member: &str) -> String {
    let word = match member {
        "title" => text!("Title"),
        "name" => text!("Name"),
        "content" => text!("Text"),
        "tags" => text!("Tags"),
        "pinned" => text!("Pinned"),
        "archived" => text!("Archived"),
        "settings" => text!("Settings"),
        "annotations" => text!("Annotations"),
        "formats" => text!("Formats"),
        "validation" => text!("Validation rules"),
        "widths" => text!("Column widths"),
        other => return other.to_owned(),
    };
    word.into()
}

fn named(part: &Map<String, Value>, is_slide: bool) -> Option<String> {
    let kind = match (part.get("type").and_then(Value::as_str), part.get("name").and_then(Value::as_str)) {
        (Some(kind), _) => word(kind),
        // Pages and slides have a name and no type.
        (None, Some(_)) if part.contains_key("elements") && is_slide => text!("Slide"),
        (None, Some(_)) if part.contains_key("elements") => text!("Page"),
        _ => return None,
    };
    let text = text(part);
    let excerpt: String = text.chars().take(WORDS).collect();
    Some(match excerpt.trim() {
        "" => kind.into(),
        words if text.chars().count() > WORDS => title!("{kind} ‘{words}…’", kind = kind, words = words),
        words => title!("{kind} ‘{words}’", kind = kind, words = words),
    })
}

fn text(part: &Map<String, Value>) -> String {
    let of = |segments: &Value| -> String {
        let segments = segments.as_array().into_iter().flatten();
        segments.filter_map(|segment| segment.get("text").and_then(Value::as_str)).collect()
    };
    let text = match (part.get("segments"), part.get("text"), part.get("name")) {
        (Some(segments), ..) if part.get("rows").is_none() => of(segments),
        (Some(_), ..) => part.get("rows").and_then(|rows| rows.get(0)?.get(0)).map(of).unwrap_or_default(),
        (None, Some(text), _) | (None, None, Some(text)) => text.as_str().unwrap_or_default().to_owned(),
        (None, None, None) => String::new(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn word(kind: &str) -> Text {
    match kind {
        "paragraph" => text!("Paragraph"),
        "heading1" | "heading2" => text!("Heading"),
        "bullet" | "number" => text!("List item"),
        "quote" => text!("Quotation"),
        "divider" => text!("Line"),
        "table" => text!("Table"),
        "text" => text!("Text"),
        "image" => text!("Picture"),
        "shape" | "rect" | "ellipse" => text!("Shape"),
        _ => text!("Part"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_are_named_by_their_type_and_first_words() {
        let long = "w".repeat(60);
        let names = PartNames::of(&json!({"kind": "docs", "blocks": [
            {"id": "a", "type": "heading1", "segments": [{"text": "Wel"}, {"text": "come\n here"}]},
            {"id": "b", "type": "divider", "segments": []},
            {"id": "c", "type": "table", "segments": [], "rows": [[[{"text": "Rent"}], [{"text": "9"}]]]},
            {"id": "d", "type": "paragraph", "segments": [{"text": long}]},
        ]}));
        assert_eq!(names.get("a"), Some("Heading ‘Welcome here’"));
        assert_eq!((names.get("b"), names.get("c")), (Some("Line"), Some("Table ‘Rent’")));
        assert_eq!(names.get("d").map(|name| name.chars().count()), Some("Paragraph ‘…’".chars().count() + WORDS));
        let pages = PartNames::of(&json!({"pages": [{"id": "p", "name": "Front", "elements": [
            {"id": "e", "type": "text", "text": "Summer fair"},
        ]}]}));
        assert_eq!((pages.get("p"), pages.get("e")), (Some("Page ‘Front’"), Some("Text ‘Summer fair’")));
        let slides =
            json!({"slides": [{"id": "s", "name": "Money", "elements": [{"id": "f", "type": "text", "text": "9"}]}]});
        let names = PartNames::of(&slides);
        assert_eq!((names.get("s"), names.get("f")), (Some("Slide ‘Money’"), Some("Text ‘9’")));
        assert_eq!(name(&slides["slides"][0], true).as_deref(), Some("Slide ‘Money’"));
        assert_eq!(name(&json!("text"), false), None);
        assert_eq!((member("tags"), member("univer")), ("Tags".to_owned(), "univer".to_owned()));
    }
}
