//! Descriptions of the OpenAPI document: paragraphs with `code` and **strong** words, and nothing else of Markdown.

use maud::{Markup, html};

/// Paragraphs.
pub fn paragraphs(text: &str) -> Markup {
    html! { @for paragraph in text.split("\n\n") { p { (line(paragraph)) } } }
}

/// Text within a line.
pub fn line(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (strong(part)) }
        }
    }
}

fn strong(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split("**").enumerate() {
            @if at % 2 == 1 { strong { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_strong_words_are_marked_and_everything_else_is_text() {
        let html = paragraphs("**Errors.** Every `a < b` is <b>.\n\nSecond.").into_string();
        assert_eq!(html, "<p><strong>Errors.</strong> Every <code>a &lt; b</code> is &lt;b&gt;.</p><p>Second.</p>");
    }
}
