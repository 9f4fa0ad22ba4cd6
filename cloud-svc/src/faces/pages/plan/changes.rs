//! All changes of a plan.

// No change is cut off, because people approve all of it.

use maud::{Markup, html};
use serde_json::{Map, Value};
use shared_runtime::pages::Text;

use super::{
    compare,
    part_names::{self, PartNames},
    shown_plan::ShownChange,
};
use crate::faces::pages::{
    contents::{document, sheet},
    paging,
    phrases::{counted, name},
};
use cloud_content::{documents::content::block::Block, part_id::PartId, preview::ChangeKind};

/// One page of the changes, in the order of the operations.
pub fn list(changes: &[ShownChange], names: &PartNames, page: usize, href: impl Fn(usize) -> String) -> Markup {
    let (range, part) = paging::cut(changes.iter().map(cost), page);
    let links = paging::links(text!("Pages of the changes"), part, |page| format!("{}#changes", href(page)));
    html! {
        @if changes.is_empty() { p { (text!("Nothing changes.")) } }
        (all(&changes[range], names))
        (links)
    }
}

/// How many of the first changes fit, and what they cost together: at most `most`, which cost at most `most_cost`.
pub fn fitting(changes: &[ShownChange], most: usize, most_cost: usize) -> (usize, usize) {
    let (mut count, mut sum) = (0, 0);
    for change in changes.iter().take(most) {
        let more = sum + cost(change);
        if more > most_cost {
            break;
        }
        (count, sum) = (count + 1, more);
    }
    (count, sum)
}

/// About the bytes of HTML of a change.
fn cost(change: &ShownChange) -> usize {
    let remarks: usize = change.remarks.iter().map(String::len).sum();
    200 + length(&change.before) + length(&change.after) + remarks
}

/// Each change, before and after.
pub fn all(changes: &[ShownChange], names: &PartNames) -> Markup {
    // Neighboring cells of one sheet share a table: a plan may change hundreds of cells.
    let is_cell_of_one = |one: &ShownChange, next: &ShownChange| {
        let is_formula = |change: &ShownChange| change.kind == ChangeKind::Formula;
        one.place.cell.is_some()
            && next.place.cell.is_some()
            && one.place.sheet == next.place.sheet
            && is_formula(one) == is_formula(next)
    };
    html! {
        @for group in changes.chunk_by(is_cell_of_one) {
            @match group {
                [change] if change.place.cell.is_none() => (self::change(change, names)),
                cells => (self::cells(cells)),
            }
        }
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 16,
        Value::Array(items) => items.iter().map(length).sum::<usize>() + 16,
        Value::Object(members) => members.values().map(length).sum::<usize>() + 40,
        Value::Null | Value::Bool(_) | Value::Number(_) => 16,
    }
}

fn cells(changes: &[ShownChange]) -> Markup {
    let sheet = changes[0].place.sheet.as_deref().unwrap_or_default();
    let title = if changes[0].kind == ChangeKind::Formula {
        text!("Formulas that follow their cells in {sheet}")
    } else {
        text!("Cells of {sheet}")
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    html! {
        article.change {
            h3 { (title.with(&[("sheet", &name(sheet))])) }
            (shared_runtime::pages::scrollable(text!("Changed cells"), html! {
                table.cells {
                    thead {
                        tr {
                            th scope="col" { (text!("Cell")) }
                            th scope="col" { (text!("Before")) }
                            th scope="col" { (text!("After")) }
                        }
                    }
                    tbody {
                        @for change in changes {
                            tr {
                                th scope="row" { (change.place.cell.as_deref().unwrap_or_default()) }
                                td dir="auto" { @match text(&change.before) {
                                    Some(text) if !text.is_empty() => (compare::gone(&sheet::cell(&text))),
                                    _ => span.note { (text!("empty")) },
                                } }
                                td dir="auto" { @match text(&change.after) {
                                    Some(text) if !text.is_empty() => (compare::new(&sheet::cell(&text))),
                                    _ => span.note { (text!("empty")) },
                                } }
                            }
                            @if !change.remarks.is_empty() { tr { td colspan="3" { (remarks(change)) } } }
                        }
                    }
                }
            }))
        }
    }
}

/// What a reviewer has remarked on a change.
fn remarks(change: &ShownChange) -> Markup {
    html! {
        @if !change.remarks.is_empty() {
            div.remarks role="group" aria-label=(text!("Remarks of the reviewer")) {
                @for remark in &change.remarks {
                    p.as-written dir="auto" { span.label { (text!("Remark:")) " " } (remark) }
                }
            }
        }
    }
}

fn change(change: &ShownChange, names: &PartNames) -> Markup {
    if let Some(more) = change.more {
        return html! {
            p.note { (counted(more, text!("And {n} more formula follows its cells."), text!("And {n} more formulas follow their cells."))) }
            (remarks(change))
        };
    }
    html! {
        article class=(format!("change {}", change.kind)) {
            h3 { (word(change.kind)) ": " (place(change, names)) }
            (remarks(change))
            @match &change.place.after_id {
                None => "",
                Some(None) => p.note { (text!("At the beginning.")) },
                // A new part that another new part follows has no name yet.
                Some(Some(id)) => @if let Some(name) = names.get(id.as_str()) { p.note { (text!("After {part}.", part = html! { bdi { (name) } })) } }
                ,
            }
            @match change.kind {
                ChangeKind::Move => (value(&change.before)),
                ChangeKind::Insert if !change.after.is_null() => div.added { p.label { (text!("New")) } (value(&change.after)) (links(&Value::Null, &change.after)) }
                ,
                ChangeKind::Delete if !change.before.is_null() => div.removed { p.label { (text!("Removed")) } (value(&change.before)) }
                ,
                ChangeKind::Replace => (replaced(&change.before, &change.after)),
                _ => "",
            }
        }
    }
}

fn word(kind: ChangeKind) -> Text {
    match kind {
        ChangeKind::Insert => text!("Inserted"),
        ChangeKind::Replace => text!("Replaced"),
        ChangeKind::Delete => text!("Deleted"),
        ChangeKind::Move => text!("Moved"),
        ChangeKind::Formula => text!("Rewritten"),
    }
}

/// In the words of the content. Ids are only for what has no words.
fn place(change: &ShownChange, names: &PartNames) -> Markup {
    let place = &change.place;
    // The values are those of the innermost part.
    let is_slide = place.slide_id.is_some() && place.element_id.is_none();
    let own = || part_names::name(&change.before, is_slide).or_else(|| part_names::name(&change.after, is_slide));
    let parts = [&place.page_id, &place.slide_id, &place.block_id, &place.element_id];
    let ids: Vec<&str> = parts.into_iter().flatten().map(PartId::as_str).collect();
    let named = ids.iter().enumerate().map(|(index, id)| {
        let own = if index + 1 == ids.len() { own() } else { None };
        own.or_else(|| names.get(id).map(str::to_owned)).unwrap_or_else(|| (*id).to_owned())
    });
    let sheet = place.sheet.iter().map(|sheet| title!("sheet ‘{sheet}’", sheet = sheet));
    let rest = place.range.iter().cloned().chain(place.member.iter().map(|member| part_names::member(member)));
    let all: Vec<String> = named.chain(sheet).chain(rest).collect();
    html! {
        @if all.is_empty() { (text!("the content")) }
        @for (index, part) in all.iter().enumerate() {
            @if index > 0 { ", " }
            bdi { (part) }
        }
    }
}

fn replaced(before: &Value, after: &Value) -> Markup {
    if let (Value::String(before), Value::String(after)) = (before, after) {
        return compare::show(before, after);
    }
    if let (Some(old), Some(new)) = (block(before), block(after)) {
        let (old_text, new_text) = (text(&old), text(&new));
        let looks = html! {
            div.removed { p.label { (text!("Before")) } (document::alone(&old)) }
            div.added { p.label { (text!("After")) } (document::alone(&new)) }
        };
        return html! {
            // A comparison of equal words would show nothing.
            @if old_text == new_text {
                p.note { (text!("The words stay; type, style or links change.")) }
                (looks)
            } @else {
                (compare::show(&old_text, &new_text))
                details { summary { (text!("Before and after, as they look")) } (looks) }
            }
            (links(before, after))
        };
    }
    let none = Map::new();
    match (before, after) {
        (Value::Object(_) | Value::Null, Value::Object(_) | Value::Null) => {
            members(before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none))
        }
        _ => html! {
            @if !before.is_null() { div.removed { p.label { (text!("Before")) } (value(before)) } }
            @if !after.is_null() { div.added { p.label { (text!("After")) } (value(after)) } }
        },
    }
}

/// The whole targets of links, if they differ: a link has only its host beside it.
fn links(before: &Value, after: &Value) -> Markup {
    let (old, new) = (targets(before), targets(after));
    html! { @if old != new { p.label { (text!("Where the links lead")) } (compare::show(&old, &new)) } }
}

/// A line for each link of a block.
fn targets(value: &Value) -> String {
    let Some(block) = block(value) else { return String::new() };
    let segments = block.segments.iter().chain(block.rows.iter().flatten().flatten().flatten());
    let mut targets: Vec<&str> = segments.filter_map(|segment| segment.link.as_deref()).collect();
    // A style may change within the text of one link.
    targets.dedup();
    targets.join("\n")
}

/// The members of two objects that differ.
fn members(before: &Map<String, Value>, after: &Map<String, Value>) -> Markup {
    let new = after.keys().filter(|key| !before.contains_key(*key));
    let keys: Vec<&String> = before.keys().chain(new).filter(|key| before.get(*key) != after.get(*key)).collect();
    html! {
        @for key in keys {
            p.label { bdi { (key) } }
            @match (before.get(key), after.get(key)) {
                (Some(Value::String(before)), Some(Value::String(after))) => (compare::show(before, after)),
                (before, after) => {
                    @if let Some(before) = before { div.removed { p.label { (text!("Before")) } (value(before)) } }
                    @if let Some(after) = after { div.added { p.label { (text!("After")) } (value(after)) } }
                },
            }
        }
    }
}

fn block(value: &Value) -> Option<Block> {
    value.get("segments")?;
    serde_json::from_value(value.clone()).ok()
}

/// The text of a block, with a line for each cell of a table.
fn text(block: &Block) -> String {
    let of = |segments: &[cloud_content::documents::content::segment::Segment]| -> String {
        segments.iter().map(|segment| segment.text.as_str()).collect()
    };
    let mut lines = vec![of(&block.segments)];
    lines.extend(block.rows.iter().flatten().flatten().map(|cell| of(cell)));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

// Values have no type here: their shape decides how they are shown.
fn value(value: &Value) -> Markup {
    if let Some(block) = block(value) {
        return document::alone(&block);
    }
    match value {
        Value::Null => html! { p.note { (text!("nothing")) } },
        Value::String(text) => html! { p.as-written dir="auto" { (text) } },
        Value::Bool(_) | Value::Number(_) => html! { p { (value.to_string()) } },
        Value::Array(items) => match rows(items) {
            Some(rows) => grid(&rows),
            None => html! { ul { @for item in items { li { (self::value(item)) } } } },
        },
        Value::Object(members) => html! {
            @match members.get("cells").and_then(Value::as_array).and_then(|cells| rows(cells)) {
                Some(rows) => (grid(&rows)),
                None => dl.members {
                    @for (key, member) in members { div { dt { bdi { (key) } } dd { (self::value(member)) } } }
                },
            }
        },
    }
}

/// The rows of a sheet; `None` for other lists.
fn rows(items: &[Value]) -> Option<Vec<Vec<String>>> {
    let cell = |cell: &Value| cell.as_str().map(str::to_owned);
    let row = |row: &Value| row.as_array().filter(|cells| !cells.is_empty())?.iter().map(cell).collect();
    if items.is_empty() { None } else { items.iter().map(row).collect() }
}

fn grid(rows: &[Vec<String>]) -> Markup {
    sheet::grid(&sheet::Grid { label: text!("Cells").shown(), rows, first: 0, formats: None, values: None })
}
