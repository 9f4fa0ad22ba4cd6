//! Writes documents as Markdown.

use crate::{
    documents::content::{
        DocumentContent,
        block::{Block, BlockType, Cell},
        segment::Segment,
    },
    markdown::{Inline, Lines},
};

/// The blocks as Markdown. Read back, it is the same text in blocks of the same types.
pub fn write(content: &DocumentContent) -> String {
    let mut out = String::new();
    let mut number = 0;
    let mut before = None;
    for block in &content.blocks {
        let is_same_list = before == Some(block.kind) && matches!(block.kind, BlockType::Bullet | BlockType::Number);
        if before.is_some() {
            // A blank line between the items of a list would make each item a paragraph in other programs.
            out.push_str(if is_same_list { "\n" } else { "\n\n" });
        }
        number = if is_same_list { number + 1 } else { 1 };
        write_block(&mut out, block, number);
        before = Some(block.kind);
    }
    out.push('\n');
    out
}

/// One block as Markdown. An item of a numbered list has the number 1.
pub fn block(block: &Block) -> String {
    let mut out = String::new();
    write_block(&mut out, block, 1);
    out
}

fn write_block(out: &mut String, block: &Block, number: usize) {
    let segments = &block.segments;
    match block.kind {
        // An empty line would not read back as a paragraph.
        BlockType::Paragraph if segments.iter().all(|segment| segment.text.is_empty()) => out.push_str("<br>"),
        BlockType::Paragraph => write_segments(out, "", Lines::Several(""), segments),
        BlockType::Heading1 => write_segments(out, "# ", Lines::One, segments),
        BlockType::Heading2 => write_segments(out, "## ", Lines::One, segments),
        BlockType::Bullet => write_segments(out, "- ", Lines::Several("  "), segments),
        BlockType::Number => {
            let marker = format!("{number}. ");
            write_segments(out, &marker, Lines::Several(&" ".repeat(marker.len())), segments);
        }
        BlockType::Quote => write_segments(out, "> ", Lines::Several("> "), segments),
        BlockType::Divider => out.push_str("---"),
        BlockType::Table => write_table(out, block.rows.as_deref().unwrap_or_default()),
    }
}

// The first row is the heading, because a GFM table must have one.
fn write_table(out: &mut String, rows: &[Vec<Cell>]) {
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push('|');
        for cell in row {
            write_segments(out, " ", Lines::One, cell);
            out.push_str(" |");
        }
        if index == 0 {
            out.push_str("\n|");
            out.push_str(&" --- |".repeat(row.len()));
        }
    }
}

fn write_segments(out: &mut String, marker: &str, lines: Lines<'_>, segments: &[Segment]) {
    out.push_str(marker);
    let mut inline = Inline::new(out, lines);
    let with_text: Vec<&Segment> = segments.iter().filter(|segment| !segment.text.is_empty()).collect();
    // Segments with one target are one link, even if the style changes within its text.
    for run in with_text.chunk_by(|one, next| one.link == next.link) {
        let link = run.first().and_then(|segment| segment.link.as_deref());
        if link.is_some() {
            inline.markdown("[");
        }
        for segment in run {
            write_segment(&mut inline, segment);
        }
        if let Some(link) = link {
            inline.markdown("](");
            inline.markdown(&target(link));
            inline.markdown(")");
        }
    }
    inline.end();
}

// Asterisks are marks of a style only next to certain characters. Elsewhere tags replace them.
fn write_segment(inline: &mut Inline<'_>, segment: &Segment) {
    let Segment { text, bold, italic, underline, link: _ } = segment;
    let [bold, italic, underline] = [bold, italic, underline].map(|style| *style == Some(true));
    let is_edge = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let has_asterisks = is_edge(text.chars().next()) && is_edge(text.chars().next_back()) && inline.last() != Some('*');
    let style = |is_on: bool, asterisks, open, close| match (is_on, has_asterisks) {
        (false, _) => ("", ""),
        (true, true) => (asterisks, asterisks),
        (true, false) => (open, close),
    };
    let styles = [
        if underline { ("<u>", "</u>") } else { ("", "") },
        style(bold, "**", "<strong>", "</strong>"),
        style(italic, "*", "<em>", "</em>"),
    ];
    styles.iter().filter(|(open, _)| !open.is_empty()).for_each(|(open, _)| inline.markdown(open));
    inline.text(text);
    styles.iter().rev().filter(|(open, _)| !open.is_empty()).for_each(|(_, close)| inline.markdown(close));
}

/// The target of a link, with characters escaped that would end it or be Markdown.
fn target(link: &str) -> String {
    let mut target = String::with_capacity(link.len());
    for c in link.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '(' | ')' | '&' | '|' | '~') {
            target.push('\\');
        }
        target.push(c);
    }
    target
}
