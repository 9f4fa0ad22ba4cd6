//! Contents as lists of parts, for all types of files.

use serde_json::{Value, json};

use super::tree::Kind;

/// Blocks of a document, cells of a column, the title and the lines of a note, pages or slides.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Of each part the id and the text.
    Parts(Vec<(String, String)>),
    /// The symbol of a content that is not predicted, but must stay the same.
    Unknown(String),
    Bytes(Vec<u8>),
}

/// An edit. A part whose id begins with `l` links to a domain of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    Append(String, String),
    Replace(String, String),
    Delete(String),
}

impl Edit {
    pub fn part(&self) -> &str {
        match self {
            Self::Append(part, _) | Self::Replace(part, _) | Self::Delete(part) => part,
        }
    }

    /// Whether it warns with high severity, because the domain is new to the workspace.
    pub fn is_risky(&self) -> bool {
        matches!(self, Self::Append(part, _) if part.starts_with('l'))
    }
}

impl Content {
    pub fn parts(&self) -> &[(String, String)] {
        match self {
            Self::Parts(parts) => parts,
            Self::Unknown(_) | Self::Bytes(_) => &[],
        }
    }

    pub fn text(&self, part: &str) -> Option<&str> {
        self.parts().iter().find(|(id, _)| id == part).map(|(_, text)| text.as_str())
    }

    /// The content after these edits; none if one is impossible.
    pub fn edited(&self, edits: &[Edit], unknown: &str) -> Option<Self> {
        let Self::Parts(parts) = self else { return Some(Self::Unknown(unknown.to_owned())) };
        let mut parts = parts.clone();
        for edit in edits {
            let place = parts.iter().position(|(id, _)| id == edit.part());
            match (edit, place) {
                (Edit::Append(id, text), None) => parts.push((id.clone(), text.clone())),
                (Edit::Replace(_, text), Some(place)) => parts[place].1.clone_from(text),
                (Edit::Delete(_), Some(place)) => drop(parts.remove(place)),
                _ => return None,
            }
        }
        Some(Self::Parts(parts))
    }

    /// The pattern of it in answers.
    pub fn pattern(&self, kind: Kind) -> Value {
        let parts = match self {
            Self::Parts(parts) => parts,
            Self::Unknown(symbol) => return json!(symbol),
            Self::Bytes(_) => return json!("*"),
        };
        match kind {
            Kind::Document => {
                json!({"kind": "docs", "blocks": parts.iter().map(|(id, text)| block(id, text)).collect::<Vec<_>>()})
            }
            Kind::Spreadsheet => {
                let cells: Vec<_> = parts.iter().map(|(_, text)| json!([text])).collect();
                json!({"kind": "sheets", "sheets": [{"name": "Sheet1", "cells": cells}]})
            }
            Kind::Note => {
                let lines: String = parts.iter().skip(1).map(|(_, text)| format!("\n{text}")).collect();
                json!({"title": parts[0].1, "content": lines})
            }
            Kind::Publication => {
                json!({"pages": parts.iter().map(|(id, text)| page(id, text)).collect::<Vec<_>>()})
            }
            Kind::Presentation => {
                json!({"slides": parts.iter().map(|(id, text)| slide(id, text)).collect::<Vec<_>>()})
            }
            Kind::Folder | Kind::Upload => json!("*"),
        }
    }
}

/// Parts of a new file.
pub fn first(kind: Kind, n: &str) -> Content {
    let ids: &[&str] = match kind {
        Kind::Document => &["b1", "b2", "b3", "b4", "b5", "b6"],
        Kind::Spreadsheet => &["A1", "A2", "A3", "A4"],
        Kind::Note => &["title"],
        Kind::Publication | Kind::Presentation => &["p1"],
        Kind::Folder | Kind::Upload => &[],
    };
    Content::Parts(ids.iter().map(|id| ((*id).to_owned(), format!("text {n}"))).collect())
}

/// The edit as an operation of a plan.
pub fn operation(kind: Kind, edit: &Edit) -> Value {
    match (kind, edit) {
        (Kind::Document, Edit::Append(id, text)) => json!({"op": "insert_block", "block": block(id, text)}),
        (Kind::Document, Edit::Replace(id, text)) => {
            json!({"op": "replace_block", "block_id": id, "block": block(id, text)})
        }
        (Kind::Document, Edit::Delete(id)) => json!({"op": "delete_block", "block_id": id}),
        (Kind::Spreadsheet, Edit::Replace(cell, text)) => {
            json!({"op": "set_cells", "sheet": "Sheet1", "range": cell, "values": [[text]]})
        }
        (Kind::Note, Edit::Append(_, text)) => json!({"op": "append_text", "text": format!("\n{text}")}),
        (Kind::Note, Edit::Replace(_, text)) => json!({"op": "set_title", "title": text}),
        (Kind::Publication, Edit::Append(id, text)) => json!({"op": "insert_page", "page": page(id, text)}),
        (Kind::Publication, Edit::Replace(id, text)) => {
            json!({"op": "replace_page", "page_id": id, "page": page(id, text)})
        }
        (Kind::Presentation, Edit::Append(id, text)) => json!({"op": "insert_slide", "slide": slide(id, text)}),
        (Kind::Presentation, Edit::Replace(id, text)) => {
            json!({"op": "replace_slide", "slide_id": id, "slide": slide(id, text)})
        }
        other => panic!("no such edit: {other:?}"),
    }
}

/// The edit as an operation of a tool, flat where the tool shows no part of that kind.
pub fn flat_operation(kind: Kind, edit: &Edit) -> Value {
    match (kind, edit) {
        (Kind::Publication, Edit::Append(id, text)) => json!({"op": "insert_page", "page_id": id, "name": text}),
        (Kind::Presentation, Edit::Append(id, text)) => json!({"op": "insert_slide", "slide_id": id, "name": text}),
        _ => operation(kind, edit),
    }
}

/// Content to send.
pub fn sent(kind: Kind, content: &Content) -> Value {
    content.pattern(kind)
}

fn block(id: &str, text: &str) -> Value {
    let segment = match id.starts_with('l') {
        true => json!({"text": text, "link": format!("https://{id}.example/")}),
        false => json!({"text": text}),
    };
    json!({"id": id, "type": "paragraph", "segments": [segment]})
}

fn page(id: &str, text: &str) -> Value {
    json!({
        "id": id, "name": text, "size": "a4", "orientation": "portrait", "background": "#ffffff", "elements": []
    })
}

fn slide(id: &str, text: &str) -> Value {
    json!({"id": id, "name": text, "background": "#ffffff", "elements": [], "notes": ""})
}
