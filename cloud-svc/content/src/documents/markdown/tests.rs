//! Documents as Markdown and back.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::Problem;

use super::{plainer::Plainer, write::write};
use crate::{
    documents::content::{DocumentContent, block::Block, segment::Segment},
    test_support::plans::{content, text},
};

fn document(blocks: &Value) -> DocumentContent {
    content(&json!({"kind": "docs", "blocks": blocks}))
}

fn read(markdown: &str) -> Result<DocumentContent, Vec<Problem>> {
    super::read::read(markdown).map(|read| read.content)
}

/// What is read, without ids: type and segments, or rows, of each block.
fn blocks(markdown: &str) -> Value {
    let read = read(markdown).expect("a document");
    let blocks = serde_json::to_value(&read.blocks).expect("JSON");
    let short = |block: &Value| json!([block["type"], block.get("rows").unwrap_or(&block["segments"])]);
    blocks.as_array().expect("blocks").iter().map(short).collect()
}

/// The places at which what is read breaks rules.
fn problems(markdown: &str) -> Vec<String> {
    read(markdown).expect_err("problems").into_iter().map(|problem| problem.to_string()).collect()
}

#[test]
fn every_type_of_block_and_style_is_written() {
    let cell = |text: &str| json!([{"text": text}]);
    let block = |kind: &str, text: &str| json!({"type": kind, "segments": [{"text": text}]});
    let blocks = json!([
        block("heading1", "Title #1"),
        {"type": "paragraph", "segments": [
            {"text": "plain "}, {"text": "bold", "bold": true}, {"text": " and "},
            {"text": "both", "bold": true, "italic": true},
            {"text": "(odd) ", "italic": true}, {"text": "under", "underline": true}, {"text": "!"},
            {"text": "a ", "link": "https://x.example/a_(b)"},
            {"text": "link", "link": "https://x.example/a_(b)", "bold": true}
        ]},
        block("number", "one"), block("number", "two\nlines"), block("paragraph", ""), block("number", "again"),
        block("bullet", "1. not a number"), block("bullet", "# no heading"),
        block("quote", "first\nsecond"), block("quote", "third"),
        {"type": "divider", "segments": []},
        block("heading2", "two\nlines"),
        {"type": "table", "segments": [], "rows": [[cell("a|b"), cell("")], [cell("c\nd"), cell("*")]]}
    ]);
    let document = document(&blocks);
    let markdown = write(&document);
    assert_eq!(
        markdown,
        "# Title \\#1\n\n\
         plain **bold** and ***both***<em>(odd) </em><u>under</u>\\![a **link**](https://x.example/a\\_\\(b\\))\n\n\
         1. one\n2. two\\\n   lines\n\n<br>\n\n1. again\n\n\
         - 1\\. not a number\n- \\# no heading\n\n\
         > first\\\n> second\n\n> third\n\n---\n\n## two<br>lines\n\n\
         | a\\|b |  |\n| --- | --- |\n| c<br>d | \\* |\n"
    );
    assert_eq!(plain(&read(&markdown).expect("a document").blocks), plain(&document.blocks));
}

/// Readers of GFM show what is in a bare address as it is written, with the escapes.
#[test]
fn a_bare_address_is_no_link_if_it_would_show_escapes() {
    let written = |text: &str| {
        let document = document(&json!([{"type": "paragraph", "segments": [{"text": text}]}]));
        let markdown = write(&document);
        assert_eq!(blocks(&markdown), json!([["paragraph", [{"text": text}]]]), "{markdown}");
        markdown.trim_end().to_owned()
    };
    assert_eq!(written("at https://x.example/a?b=c."), "at https://x.example/a?b=c.");
    assert_eq!(written("at HTTP://x.example/a*b*"), "at HTTP\\://x.example/a\\*b\\*");
    assert_eq!(written("www.x.example/[a]"), "www\\.x.example/\\[a\\]");
    assert_eq!(written("www.x.example and *"), "www.x.example and \\*");
    assert_eq!(written("a: b. c @ d"), "a: b. c @ d");
}

#[test]
fn what_is_plainer_in_a_document_loses_nothing() {
    assert_eq!(
        blocks("### Deep\n\ntext\nwraps\n"),
        json!([["heading2", [{"text": "Deep"}]], ["paragraph", [{"text": "text wraps"}]]])
    );
    assert_eq!(
        blocks("- a\n  1. b\n\n     more\n- > c\n-\n"),
        json!([
            ["bullet", [{"text": "a"}]],
            ["number", [{"text": "b"}]],
            ["paragraph", [{"text": "more"}]],
            ["quote", [{"text": "c"}]],
            ["bullet", []]
        ])
    );
    assert_eq!(blocks("```rust\nlet a;\n\nlet b;\n```\n"), json!([["paragraph", [{"text": "let a;\n\nlet b;"}]]]));
    assert_eq!(
        blocks("a\r\n\r\n    code\r\n"),
        json!([["paragraph", [{"text": "a"}]], ["paragraph", [{"text": "code"}]]])
    );
    assert_eq!(
        blocks("<div>\n*b*\n</div>\n\na <i>b</i> <span>"),
        json!([
            ["paragraph", [{"text": "<div>\n*b*\n</div>"}]],
            ["paragraph", [{"text": "a "}, {"text": "b", "italic": true}, {"text": " <span>"}]]
        ])
    );
    assert_eq!(
        blocks("![alt](https://x.example/i.png) [doc](./a.md) [](https://y.example) <ada@x.example>"),
        json!([["paragraph", [
            {"text": "alt", "link": "https://x.example/i.png"}, {"text": " doc (./a.md) "},
            {"text": "https://y.example", "link": "https://y.example"}, {"text": " "},
            {"text": "ada@x.example", "link": "mailto:ada@x.example"}
        ]]])
    );
    assert_eq!(
        blocks("[![alt](https://i.example)](https://x.example)"),
        json!([["paragraph", [
            {"text": "alt (https://i.example)", "link": "https://x.example"}
        ]]])
    );
    assert_eq!(
        blocks("| a | b |\n| --- | :-: |\n| *c* |\n"),
        json!([["table", [
            [[{"text": "a"}], [{"text": "b"}]],
            [[{"text": "c", "italic": true}], []]
        ]]])
    );
    assert_eq!(blocks(""), json!([["paragraph", []]]));
    assert_eq!(blocks(">\n\n***"), json!([["quote", []], ["divider", []]]));
    assert_eq!(blocks(&"a".repeat(10_001))[0][1][1], json!({"text": "a"}));
}

#[test]
fn what_does_not_fit_says_which_rule() {
    assert_eq!(problems(&"a\n\n".repeat(201)), ["/blocks must have 1 to 200 items, has more"]);
    assert_eq!(problems(&"*a* b ".repeat(51)), ["/blocks/0/segments must have 0 to 100 items, has 102"]);
    assert_eq!(
        problems(&format!("|{}\n|{}\n", "a|".repeat(27), "-|".repeat(27)))[0],
        "/blocks/0/rows/0 must have 1 to 26 items, has 27"
    );
    assert_eq!(problems(&"a".repeat(750_001)), ["/blocks must have at most 750000 bytes of text in all, has 750001"]);
    assert_eq!(
        problems("a&#1;b"),
        ["/blocks/0/segments/0/text must have no control characters except newline and tab"]
    );
    assert_eq!(problems(&"a".repeat(2_097_153)), ["must be at most 2097152 bytes (request_bytes), has 2097153"]);
}

/// Too many segments, rows or cells are refused before all of them are counted.
#[test]
fn markdown_that_becomes_too_much_json_is_refused_before_its_end() {
    let too_much = ["must have at most 2097152 bytes as JSON (request_bytes), has more"];
    let letters = "*a*b".repeat(10_000);
    let link = format!("[{letters}](https://x/{})", "\u{1f600}".repeat(2_030));
    assert_eq!(problems(&link), too_much);
    assert_eq!(problems(&"*a*b".repeat(100_000)), too_much);
    assert_eq!(problems(&format!("|a|\n|-|\n{}", "|a|\n".repeat(150_000))), too_much);
    assert_eq!(problems(&letters), ["/blocks/0/segments must have 0 to 100 items, has 20000"]);
}

/// Type, text of all segments together, and the text of each cell.
fn plain(blocks: &[Block]) -> Vec<(String, String, Vec<Vec<String>>)> {
    let text = |segments: &[Segment]| segments.iter().map(|segment| segment.text.as_str()).collect::<String>();
    let cells =
        |block: &Block| block.rows.iter().flatten().map(|row| row.iter().map(|cell| text(cell)).collect()).collect();
    blocks.iter().map(|block| (block.kind.to_string(), text(&block.segments), cells(block))).collect()
}

/// Text with all that Markdown gives a meaning to.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c1é ]{0,3}",
        "[\\\\`*_\\[\\]<>&!|~#+=:.()\"'$^{}-]{1,3}",
        "[\n\t \u{a0}\u{3000}\u{85}\u{2028}]{1,2}",
        "\\PC",
        Just("&amp;".to_owned()),
        Just("&#10;".to_owned()),
        Just("<br>".to_owned()),
        Just("<u>".to_owned()),
        Just("12. ".to_owned()),
        Just("---".to_owned()),
        Just("\n==".to_owned()),
        Just("!".to_owned()),
        Just("```".to_owned()),
        Just("http://a.example/_b_".to_owned()),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn hostile_block(styled: bool) -> impl Strategy<Value = Value> {
    let flag = move || proptest::option::of(Just(true)).prop_map(move |flag| flag.filter(|_| styled));
    let link =
        proptest::option::of("https://a/[a-c()\\[\\]*_<>&|\\\\`é]{0,5}").prop_map(move |link| link.filter(|_| styled));
    let segment = (hostile_text(), flag(), flag(), flag(), link).prop_map(|(text, bold, italic, underline, link)| {
        let members = [("bold", bold), ("italic", italic), ("underline", underline)];
        let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
        let link = link.map(|link| ("link".to_owned(), json!(link)));
        members.chain(link).chain([("text".to_owned(), json!(text))]).collect::<Value>()
    });
    let segments = proptest::collection::vec(segment, 0..4).boxed();
    let of_text = ("paragraph|heading1|heading2|bullet|number|quote", segments.clone())
        .prop_map(|(kind, segments)| json!({"type": kind, "segments": segments}));
    let table = (1usize..3, proptest::collection::vec(segments, 2..6)).prop_map(|(width, cells)| {
        let rows: Vec<_> = cells.chunks_exact(width).map(|row| json!(row)).collect();
        json!({"type": "table", "segments": [], "rows": rows})
    });
    prop_oneof![6 => of_text, 1 => Just(json!({"type": "divider", "segments": []})), 2 => table]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_document_reads_back_with_its_text_and_types(blocks in proptest::collection::vec(hostile_block(false), 1..5)) {
        let document = document(&json!(blocks));
        let markdown = write(&document);
        prop_assert_eq!(plain(&read(&markdown).expect("a document").blocks), plain(&document.blocks), "{}", markdown);
    }

    #[test]
    fn styles_and_links_read_back_too(blocks in proptest::collection::vec(hostile_block(true), 1..5)) {
        let document = document(&json!(blocks));
        let markdown = write(&document);
        let again = read(&markdown).expect("a document");
        prop_assert_eq!(plain(&again.blocks), plain(&document.blocks), "{}", markdown);
        prop_assert_eq!(text(&merged(&again.blocks)), text(&merged(&document.blocks)), "{}", markdown);
    }

    #[test]
    fn no_markdown_panics(markdown in "([\\[\\]()!<>`*_\\\\ \n#|~:.&;é-]|1|a|---|<br>|<u>|```|\\PC){0,80}") {
        let _ = read(&markdown);
    }
}

/// Each segment's characters with its style, so that it does not matter how they are cut; without ids.
fn merged(blocks: &[Block]) -> Vec<Vec<Segment>> {
    let merge = |segments: &[Segment]| {
        let style = |segment: &Segment| Segment { text: String::new(), ..segment.clone() };
        let with_text: Vec<_> = segments.iter().filter(|segment| !segment.text.is_empty()).collect();
        let runs = with_text.chunk_by(|one, next| style(one) == style(next));
        runs.map(|run| Segment { text: run.iter().map(|segment| segment.text.as_str()).collect(), ..run[0].clone() })
            .collect()
    };
    let lists = |block: &Block| {
        let cells = block.rows.clone().into_iter().flatten().flatten();
        [block.segments.clone()].into_iter().chain(cells).map(|segments| merge(&segments)).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(lists).collect()
}

#[test]
fn what_becomes_plainer_is_named() {
    let plainer =
        |markdown: &str| super::read::read(markdown).expect("a document").plainer.into_iter().collect::<Vec<_>>();
    for (markdown, found) in [
        ("# A\n\n## B\n\n- c\n\n1. d\n\n> e <u>f</u><br>\n\n| a |\n|---|\n| b |\n\n<https://x.example>", &[][..]),
        ("### A", &[Plainer::Headings]),
        ("- a\n  - b", &[Plainer::Nesting]),
        ("> - a", &[Plainer::Nesting]),
        ("`a`", &[Plainer::Code]),
        ("    a", &[Plainer::Code]),
        ("![a](https://x.example/a.png)", &[Plainer::Images]),
        ("<div>", &[Plainer::Html]),
        ("a <span>b", &[Plainer::Html]),
        ("[a](b.md) <a@x.example>", &[Plainer::Targets]),
    ] {
        assert_eq!(plainer(markdown), found, "{markdown}");
    }
}
