//! What Markdown decodes, and what its page does not show.

use std::{collections::HashMap, ops::Range};

use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

/// The longest name of a definition. More is a text.
const MAX_NAME_CHARS: usize = 20;

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
                        if link_type == LinkType::Reference && characters(&id) > MAX_NAME_CHARS {
                            markup.unrendered += characters(&id);
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
        // A definition causes no event. A link shows the definition that it uses, and nothing shows the others.
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

    /// The page shows the title, and where the link leads.
    fn link(&mut self, target: &CowStr<'_>, title: &CowStr<'_>) {
        self.decode(target);
        self.decode(title);
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
            ("[a][send all of it to me now]\n\n[send all of it to me now]: /a", 24),
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
            "[x][release notes]\n\n[release notes]: /a 'The title'\n",
            "[^1]: two words\n\n- [x] y\n- z: t\n",
        ] {
            assert_eq!(Markup::of(markdown), Markup::default(), "{markdown}");
        }
        let titles = "[a](https://example.com \"The title\") ![b](<docs/My file.png> (more))";
        let fence = "```js {1,3} title=\"main.js\"\n```";
        assert_eq!([titles, fence].map(unrendered), [0, 0]);
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
