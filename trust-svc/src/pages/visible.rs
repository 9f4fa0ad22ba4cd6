//! Signed text with what cannot be seen in it made visible.

use maud::{Markup, html};

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
    let is_hidden = matches!(character,
        // Directions: marks, embeddings, overrides, isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Without width, or filled with nothing.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        // Tags and variation selectors, which can carry whole texts.
        | '\u{e0000}'..='\u{e0fff}');
    // JSON that is written for people has line feeds.
    !is_hidden && (character == '\n' || !character.is_control())
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
    fn plain_text_has_no_warning() {
        let visible = Visible::new("Rain in London?\n");
        assert_eq!((visible.text.as_str(), visible.warning().0.as_str()), ("Rain in London?\n", ""));
    }
}
