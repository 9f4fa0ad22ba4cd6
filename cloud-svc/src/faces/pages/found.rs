//! Files that a search found by what is written in them.

use maud::{Markup, html};

use super::phrases::{file_href, name};
use crate::files::content_search::search::{ContentList, FoundFile};
use cloud_content::{search::excerpt::Match, written::Where};

/// The found files with excerpts, and a link to the next page.
pub fn contents(list: &ContentList, next: impl Fn(&str) -> String) -> Markup {
    html! {
        @if list.items.is_empty() {
            p { (if list.has_more { text!("Nothing found so far.") } else { text!("No text has these words.") }) }
        }
        ul.found {
            @for FoundFile { file, matches } in &list.items {
                li {
                    a href=(file_href(file.id)) { (name(&file.name)) }
                    @for found in matches { p { (place(&found.at)) (excerpt(found)) } }
                }
            }
        }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label=(text!("Pages of matching content")) {
                a rel="next" href=(next(cursor)) {
                    (text!("Next page"))
                }
            }
        }
    }
}

fn place(at: &Where) -> Markup {
    html! {
        @if let Some(range) = &at.range { span { bdi { (range) } ": " } }
        @if at.comment_id.is_some() { span { (text!("Comment:")) " " } }
        @if at.member.as_deref() == Some("name") { span { (text!("Name:")) " " } }
        @if at.member.as_deref() == Some("tags") { span { (text!("Tag:")) " " } }
    }
}

/// The excerpt with what was found in it.
fn excerpt(found: &Match) -> Markup {
    let characters: Vec<char> = found.excerpt.chars().collect();
    let part = |from: usize, to: usize| characters.get(from..to).unwrap_or_default().iter().collect::<String>();
    let starts = [0].into_iter().chain(found.marks.iter().map(|[_, to]| *to));
    let ends = found.marks.iter().map(|[from, _]| *from).chain([characters.len()]);
    let marks = found.marks.iter().map(|[from, to]| part(*from, *to)).map(Some).chain([None]);
    html! {
        bdi {
            @for ((from, to), marked) in starts.zip(ends).zip(marks) {
                (part(from, to)) @if let Some(marked) = marked { mark { (marked) } }
            }
        }
    }
}
