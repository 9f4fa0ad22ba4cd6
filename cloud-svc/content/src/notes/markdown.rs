//! A note as Markdown: `view=markdown`.

use super::content::NoteContent;
use crate::markdown;

/// The title as a heading, and the unchanged text, which is Markdown already.
pub fn markdown(note: &NoteContent) -> String {
    let mut out = String::new();
    if !note.title.is_empty() {
        out.push_str("# ");
        markdown::line(&mut out, &note.title);
        out.push_str("\n\n");
    }
    out.push_str(&note.content);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_heading_and_the_text_stays_as_it_is() {
        let note = |title: &str| {
            let (title, content) = (title.to_owned(), "*a*".to_owned());
            markdown(&NoteContent { title, content, tags: None, pinned: None, archived: None })
        };
        assert_eq!(note("C# *now*"), "# C\\# \\*now\\*\n\n*a*");
        assert_eq!(note(""), "*a*");
    }
}
