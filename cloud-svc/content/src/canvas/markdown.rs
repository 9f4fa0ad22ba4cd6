//! A publication or presentation as Markdown: `view=markdown`.

use super::Canvas;
use crate::markdown;

/// Each page or slide is a heading, its texts as paragraphs, and its notes as a quotation.
pub fn markdown<C: Canvas>(canvases: &[C]) -> String {
    let mut out = String::new();
    for canvas in canvases {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("## ");
        markdown::line(&mut out, canvas.name());
        out.push('\n');
        for text in canvas.elements().iter().map(|element| element.text.as_str()).filter(|text| !text.is_empty()) {
            out.push('\n');
            markdown::lines(&mut out, "", text);
            out.push('\n');
        }
        if !canvas.notes().is_empty() {
            out.push_str("\n> ");
            markdown::lines(&mut out, "> ", canvas.notes());
            out.push('\n');
        }
    }
    out
}
