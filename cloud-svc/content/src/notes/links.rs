//! The links in the text of a note.

use std::{borrow::Cow, collections::BTreeSet};

use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag, TagEnd};

use crate::{
    excerpt::excerpt,
    passage::{Link, Place},
};

// Programs that show text make links of plain URLs with these schemes, and of hosts that begin with `www.`.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Links, images and plain URLs, in the order of their ends.
pub fn find(content: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    // The targets of the open links, and the place in `text` where the text of each begins.
    let mut open: Vec<(CowStr<'_>, usize)> = Vec::new();
    let mut text = String::new();
    for event in Parser::new(content) {
        match event {
            Event::Start(Tag::Link { dest_url, link_type: LinkType::Email, .. }) => {
                begin(&mut open, CowStr::from(format!("mailto:{dest_url}")), &mut text, &mut links);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                begin(&mut open, dest_url, &mut text, &mut links);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let Some((target, start)) = open.pop() else { continue };
                // Images nest without a bound. The whole text of each would take quadratic time and memory.
                let seen = if open.is_empty() { std::mem::take(&mut text) } else { excerpt(text.get(start..)) };
                links.push(link(seen, target.into_string()));
            }
            Event::Text(part) | Event::Html(part) | Event::InlineHtml(part) => text.push_str(&part),
            // A URL in code is not a link, but code within a link is text of the link.
            Event::Code(part) if !open.is_empty() => text.push_str(&part),
            Event::Code(_) | Event::SoftBreak | Event::HardBreak => text.push(' '),
            // Text goes on across styles: `_` and `*` in a URL can begin one.
            Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong) => {}
            _ if open.is_empty() => take_plain(&mut text, &mut links),
            _ => {}
        }
    }
    take_plain(&mut text, &mut links);
    links
}

fn begin<'a>(open: &mut Vec<(CowStr<'a>, usize)>, target: CowStr<'a>, text: &mut String, links: &mut Vec<Link<'_>>) {
    // Within a link the text stays: it is the text of the link.
    if open.is_empty() {
        take_plain(text, links);
    }
    open.push((target, text.len()));
}

fn link<'a>(text: String, target: String) -> Link<'a> {
    Link { place: Place::Part("content"), text: Cow::Owned(text), target: Cow::Owned(target) }
}

/// Finds the URLs in the text so far, and empties it.
fn take_plain(text: &mut String, links: &mut Vec<Link<'_>>) {
    let text = std::mem::take(text);
    for word in text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '|')) {
        // Most words have none, and a search for four texts takes far longer.
        if !word.contains([':', '.']) {
            continue;
        }
        let mut end = word.len();
        for start in beginnings(word).into_iter().rev() {
            // Punctuation at the end belongs to the sentence.
            let url = word[start..end].trim_end_matches(|c: char| c.is_ascii_punctuation() && c != '/');
            end = start;
            if url.get(..4).is_some_and(|beginning| beginning.eq_ignore_ascii_case("www.")) {
                links.push(link(url.to_owned(), format!("http://{url}")));
            } else if url.contains(':') {
                links.push(link(url.to_owned(), url.to_owned()));
            }
        }
    }
}

/// Where the URLs of a word begin, in order. A word can have several: some programs end a URL at a `*`.
fn beginnings(word: &str) -> BTreeSet<usize> {
    let lower = word.to_ascii_lowercase();
    let schemes = SCHEMES.iter().flat_map(|scheme| lower.match_indices(scheme));
    // `://www.` and `a.www.` are within a URL or a name.
    let is_within = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | ':' | '@' | '-');
    let hosts = lower.match_indices("www.").filter(|(at, _)| !lower[..*at].ends_with(is_within));
    schemes.chain(hosts).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(content: &str) -> Vec<String> {
        find(content).into_iter().map(|link| format!("{} -> {}", link.text, link.target)).collect()
    }

    #[test]
    fn links_of_every_form_are_found() {
        assert_eq!(
            found("[a **b** `c`](http://x.example \"t\") and <http://y.example/>"),
            ["a b c -> http://x.example", "http://y.example/ -> http://y.example/"]
        );
        assert_eq!(found("[a][1]\n\n[1]: <http://x.example/a b>"), ["a -> http://x.example/a b"]);
        assert_eq!(found("<ada@x.example>"), ["ada@x.example -> mailto:ada@x.example"]);
        assert_eq!(found("![alt](http://x.example/i.png)"), ["alt -> http://x.example/i.png"]);
        assert_eq!(
            found("[![alt](http://i.example)](http://x.example)"),
            ["alt -> http://i.example", "alt -> http://x.example"]
        );
        assert_eq!(found("[a](http&#58;//x.example)"), ["a -> http://x.example"]);
    }

    #[test]
    fn plain_urls_are_links() {
        assert_eq!(
            found("See (HTTPS://x.example/a_b_c?d=e). Or mailto:a@y.example!"),
            ["HTTPS://x.example/a_b_c?d=e -> HTTPS://x.example/a_b_c?d=e", "mailto:a@y.example -> mailto:a@y.example"]
        );
        assert_eq!(found("<a href=\"http://x.example/\">b</a>"), ["http://x.example/ -> http://x.example/"]);
        assert_eq!(
            found("(Www.x.example:8/a, http://www.y.example)"),
            ["Www.x.example:8/a -> http://Www.x.example:8/a", "http://www.y.example -> http://www.y.example"]
        );
        assert_eq!(found("`http://x.example` and x.example, www."), [""; 0]);
        assert_eq!(
            found("http://x.example/*http://y.example*|www.z.example"),
            [
                "http://y.example -> http://y.example",
                "http://x.example/ -> http://x.example/",
                "www.z.example -> http://www.z.example"
            ]
        );
        assert_eq!(found("    http://code.example/"), ["http://code.example/ -> http://code.example/"]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([\\[\\]()!<>`*_\\\\ \n#é\u{200b}-]|http://|mailto:|www.|a|\\PC){0,60}") {
            find(&text);
        }
    }
}
