//! Signed text with what cannot be seen in it made visible.

use maud::{Markup, html};
use shared_model::text::is_invisible;

/// Text in which characters that hide, or that turn the text around them, stand as their escapes.
pub struct Visible {
    pub text: String,
    pub escaped: usize,
}

impl Visible {
    pub fn new(text: &str) -> Self {
        let mut visible = Self { text: String::with_capacity(text.len()), escaped: 0 };
        // Character by character, because what hides does so anywhere, also inside of a word.
        for character in text.chars() {
            if is_seen(character) {
                visible.text.push(character);
            } else {
                visible.escaped += 1;
                visible.text.extend(character.escape_unicode());
            }
        }
        visible
    }

    /// Above the text; empty if all of it can be seen.
    pub fn warning(&self) -> Markup {
        html! {
            @if self.escaped > 0 {
                div.alert role="group" aria-label=(text!("Warnings about the event")) {
                    p {
                        strong { (text!("Check carefully.")) } " "
                        (text!("The event has characters that are invisible, or that change the direction of text: {n}.", n = self.escaped))
                        " "
                        (text!("They are shown as escapes, such as {escape}.", escape = html! { code { "\\u{202e}" } }))
                    }
                }
            }
        }
    }
}

fn is_seen(character: char) -> bool {
    // JSON that is written for people has line feeds.
    !is_invisible(character) && (character == '\n' || !character.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_stands_as_its_escape() {
        let visible = Visible::new("a\u{202e}b\u{e0041}\u{85}\u{7f}\n\u{2066}é 日本");
        assert_eq!(visible.text, "a\\u{202e}b\\u{e0041}\\u{85}\\u{7f}\n\\u{2066}é 日本");
        assert_eq!(visible.escaped, 5);
        assert!(visible.warning().0.contains("Check carefully"));
    }

    #[test]
    fn whatever_hides_in_a_text_is_escaped() {
        for character in [
            '\u{fe00}',
            '\u{3164}',
            '\u{34f}',
            '\u{17b4}',
            '\u{180b}',
            '\u{1d173}',
            '\u{1bca0}',
            '\u{fff0}',
            '\u{e000}',
            '\u{fffb}',
            '\u{2028}',
        ] {
            let visible = Visible::new(&format!("a{character}b"));
            assert_eq!((visible.text, visible.escaped), (format!("a{}b", character.escape_unicode()), 1));
        }
    }

    #[test]
    fn plain_text_has_no_warning() {
        let visible = Visible::new("Rain in London?\n");
        assert_eq!((visible.text.as_str(), visible.warning().0.as_str()), ("Rain in London?\n", ""));
    }
}
