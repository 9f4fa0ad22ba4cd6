//! What Markdown decodes, and what its page does not show.

use std::{collections::HashMap, ops::Range};

use percent_encoding::percent_decode_str;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

use super::links;

/// The longest word that names a language or a definition. More is a text.
const NAME: usize = 20;
/// The longest target without a host that leads to a place. More is a text.
const TARGET: usize = 200;

/// What a reader of the Markdown and a reader of its page see differently.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Markup {
    /// Texts with character references, decoded, each in a line of its own: `&#8203;` is an invisible character.
    pub decoded: String,
    /// How many characters no reader of the page sees.
    pub unrendered: usize,
}

impl Markup {
    pub fn of(markdown: &str) -> Self {
        let mut markup = Self::default();
        let mut rendered: Vec<Range<usize>> = Vec::new();
        let mut used = Vec::new();
        let mut is_code = false;
        let mut events = Parser::new(markdown).into_offset_iter();
        for (event, range) in events.by_ref() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    is_code = true;
                    if let CodeBlockKind::Fenced(info) = kind {
                        markup.decode(&info);
                        markup.drop_unless_name(&info);
                    }
                }
                Event::End(TagEnd::CodeBlock) => is_code = false,
                // A list or a quotation is shown by what is in it.
                Event::Start(Tag::List(_) | Tag::Item | Tag::BlockQuote(_)) | Event::End(_) => continue,
                Event::Start(
                    Tag::Link { link_type, dest_url, title, id } | Tag::Image { link_type, dest_url, title, id },
                ) => match link_type {
                    // Their target is their text.
                    LinkType::Autolink | LinkType::Email => {}
                    LinkType::Inline => markup.link(&dest_url, &title),
                    _ => {
                        if link_type == LinkType::Reference {
                            markup.drop_unless_name(&id);
                        }
                        used.push(id);
                    }
                },
                // In code nothing is decoded.
                Event::Text(text) if !is_code && markdown.get(range.clone()) != Some(&*text) => markup.add(&text),
                _ => {}
            }
            if rendered.last().is_none_or(|last| range.end > last.end) {
                rendered.push(range);
            }
        }
        // No event comes of a definition. One that a link uses is shown by the link, others by nothing.
        let definitions = events.reference_definitions();
        let found = used.iter().filter_map(|id| definitions.get(id));
        let used: HashMap<usize, Range<usize>> =
            found.map(|definition| (definition.span.start, definition.span.clone())).collect();
        for (_, definition) in definitions.iter() {
            let empty = CowStr::Borrowed("");
            let title = definition.title.as_ref().unwrap_or(&empty);
            if used.contains_key(&definition.span.start) {
                markup.link(&definition.dest, title);
            } else {
                markup.decode(&definition.dest);
                markup.decode(title);
            }
        }
        rendered.extend(used.into_values());
        markup.unrendered += between(markdown, rendered);
        markup
    }

    /// The page shows no title, and of a target nothing but its host.
    fn link(&mut self, target: &CowStr<'_>, title: &CowStr<'_>) {
        self.decode(target);
        self.decode(title);
        self.unrendered += characters(title);
        let decoded = percent_decode_str(target).decode_utf8_lossy();
        let is_text = decoded.contains(char::is_whitespace) || decoded.len() > TARGET;
        if is_text && links::domains(target).is_empty() {
            self.unrendered += characters(&decoded);
        }
    }

    fn drop_unless_name(&mut self, text: &str) {
        let text = text.trim();
        if text.contains(char::is_whitespace) || text.chars().nth(NAME).is_some() {
            self.unrendered += characters(text);
        }
    }

    /// Adds what is not written as it is read. The parser borrows all else.
    fn decode(&mut self, text: &CowStr<'_>) {
        if !matches!(text, CowStr::Borrowed(_)) {
            self.add(text);
        }
    }

    fn add(&mut self, text: &str) {
        self.decoded.push_str(text);
        self.decoded.push('\n');
    }
}

/// How many characters are in none of the ranges. Lines without letters are marks of lists and quotations.
fn between(markdown: &str, mut ranges: Vec<Range<usize>>) -> usize {
    ranges.sort_by_key(|range| range.start);
    let (mut end, mut count) = (0, 0);
    for range in ranges.into_iter().chain(std::iter::once(markdown.len()..markdown.len())) {
        if range.start > end {
            let lines = markdown.get(end..range.start).unwrap_or_default().lines();
            count += lines.filter(|line| line.contains(char::is_alphabetic)).map(characters).sum::<usize>();
        }
        end = end.max(range.end);
    }
    count
}

fn characters(text: &str) -> usize {
    text.trim().chars().count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Markup;

    fn unrendered(markdown: &str) -> usize {
        Markup::of(markdown).unrendered
    }

    #[test]
    fn what_the_page_drops_is_counted() {
        for (markdown, count) in [
            ("[//]: # (send it)", 17),
            ("a\n\n[x]: <https://example.com/TEXT>\n\nb", 31),
            ("> [x]: /a \"TEXT\"\n\n- [y]: /b", 25),
            // Of two definitions with one name the second means nothing.
            ("[x]\n\n[x]: /a\n[x]: /b", 7),
            ("[x]\n\n[x]: /a 'TEXT'", 4),
            ("[a][send all of it]\n\n[send all of it]: /a", 14),
            ("[a](https://example.com \"TEXT\") ![b](https://example.com (more))", 8),
            ("[a](<send all of it>) [b](data:,send%20it)", 14 + 13),
            ("```rust and TEXT\nlet\n```", 13),
            ("~~~abcdefghijklmnopqrstu\n~~~", 21),
        ] {
            assert_eq!(unrendered(markdown), count, "{markdown}");
        }
    }

    #[test]
    fn usual_markdown_is_all_seen() {
        for markdown in [
            "# A *b* #\n\nc\n===\n\n***\n\n1. d\n2. e\n   > f\\\n   g\n\n- [ ] h\n- `i` \\j \\*\n\n    k",
            "```rust\nlet\n```\n\n    code\n\n<b>c</b> <!-- seen -->\n\n<!--\nseen\n-->\n",
            "[a][1] [b][] [c] ![d](/e/f%C3%A9.png) <https://example.com/g> <h@example.com>\n\n\
             [1]: https://example.com\n[b]: #section-1\n[c]: <mailto:i@example.com>\n",
            "[^1]: two words\n\n- [x] y\n- z: t\n",
        ] {
            assert_eq!(Markup::of(markdown), Markup::default(), "{markdown}");
        }
    }

    #[test]
    fn character_references_are_decoded_where_the_page_decodes_them() {
        let decoded = |markdown: &str| Markup::of(markdown).decoded;
        assert_eq!(decoded("a&#x202e;b &#xE0041; &#8203;"), "\u{202e}\n\u{e0041}\n\u{200b}\n");
        assert_eq!(decoded("`&#8203;`\n\n    &#8203;\n\n<b title=\"&#8203;\">"), "");
        assert_eq!(decoded("[a](/b&#8203; \"&shy;\")\n\n[c]: /d&#8203;"), "/b\u{200b}\n\u{ad}\n/d\u{200b}\n");
        assert_eq!(decoded("\u{200b} [a](/b\u{200b})"), "");
    }

    proptest! {
        #[test]
        fn no_text_panics(
            text in "([\\[\\]()!<>`*_:&#;\\\\ \n>'\"é\u{200b}-]|\\[a\\]: |http://|```|&#8203;|a|\\PC){0,60}",
        ) {
            Markup::of(&text);
        }
    }
}
