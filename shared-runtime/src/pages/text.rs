//! Visible texts of pages, in all languages.

use std::fmt::{self, Display, Write as _};

use maud::{Escaper, Markup, PreEscaped, Render};

use super::language::Language;

/// A text in all languages. It is shown in the language of the page.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    english: &'static str,
    german: &'static str,
}

/// Texts in English, each with what it is in another language.
pub type Table = &'static [(&'static str, &'static str)];

/// The texts of a crate in each language.
#[derive(Clone, Copy, Debug)]
pub struct Texts {
    pub german: &'static [Table],
}

impl Texts {
    /// At build time ([`page_text`](crate::page_text)): a language without the text does not compile.
    pub const fn find(self, english: &'static str) -> Text {
        Text { english, german: translated(self.german, english) }
    }
}

// With `while`, as everything that runs at build time.
const fn translated(tables: &[Table], english: &str) -> &'static str {
    let mut at = 0;
    while at < tables.len() {
        let mut row = 0;
        while row < tables[at].len() {
            let (text, translation) = tables[at][row];
            if is_same(text.as_bytes(), english.as_bytes()) {
                return translation;
            }
            row += 1;
        }
        at += 1;
    }
    panic!("this text is not in the tables of every language")
}

// The comparison of the standard library is not for build time.
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl Text {
    pub fn english(self) -> &'static str {
        self.english
    }

    pub fn shown(self) -> &'static str {
        match Language::current() {
            Language::English => self.english,
            Language::German => self.german,
        }
    }

    /// With markup in the places that the text names: `By {author}`.
    pub fn with(self, values: &[(&str, &dyn Render)]) -> Markup {
        let mut out = String::new();
        pieces(self.shown(), |piece| match piece {
            Piece::Words(words) => words.render_to(&mut out),
            Piece::Place(name) => value(values, name).render_to(&mut out),
        });
        PreEscaped(out)
    }

    /// The same for titles, which have no markup.
    pub fn filled(self, values: &[(&str, &dyn Display)]) -> String {
        let mut out = String::new();
        pieces(self.shown(), |piece| match piece {
            Piece::Words(words) => out.push_str(words),
            Piece::Place(name) => write!(out, "{}", value(values, name)).expect("a String takes all text"),
        });
        out
    }
}

// A typing error in a name panics in the tests of the page, which show it.
fn value<'v, V: ?Sized>(values: &[(&str, &'v V)], name: &str) -> &'v V {
    values.iter().find(|(known, _)| *known == name).expect("a text names only places that its page fills").1
}

enum Piece<'t> {
    Words(&'t str),
    Place(&'t str),
}

fn pieces(text: &'static str, mut take: impl FnMut(Piece<'static>)) {
    let mut rest = text;
    while let Some((words, after)) = rest.split_once('{') {
        take(Piece::Words(words));
        let (name, after) = after.split_once('}').expect("a place in a text ends");
        take(Piece::Place(name));
        rest = after;
    }
    take(Piece::Words(rest));
}

impl Render for Text {
    fn render_to(&self, out: &mut String) {
        write!(Escaper::new(out), "{}", self.shown()).expect("a String takes all text");
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown())
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.shown().to_owned()
    }
}

/// `3 files`, in the language of the page; both texts have the place `n`.
pub fn counted(count: usize, one: Text, many: Text) -> String {
    if count == 1 { one } else { many }.filled(&[("n", &count)])
}

/// A text of a table ([`Texts`]), as [`Text`]. With values for its places it is markup.
#[macro_export]
macro_rules! page_text {
    ($texts:path, $english:literal) => {
        const { $texts.find($english) }
    };
    ($texts:path, $english:literal, $($name:ident = $value:expr),+ $(,)?) => {
        const { $texts.find($english) }.with(&[$((stringify!($name), &$value as &dyn ::maud::Render)),+])
    };
}

/// The same as a `String` without markup.
#[macro_export]
macro_rules! page_title {
    ($texts:path, $english:literal, $($name:ident = $value:expr),+ $(,)?) => {
        const { $texts.find($english) }.filled(&[$((stringify!($name), &$value as &dyn ::std::fmt::Display)),+])
    };
}

/// The table of a language: `"English" => "Deutsch",` for each text.
#[macro_export]
macro_rules! translations {
    ($($english:literal => $translated:literal),+ $(,)?) => {
        &[$(($english, $translated)),+]
    };
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    const TEXTS: Texts = Texts {
        german: &[translations! {
            "{n} file" => "{n} Datei",
            "{n} files" => "{n} Dateien",
            "By {author}, {time}" => "{time} von {author}",
        }],
    };

    #[test]
    fn places_are_filled_in_the_order_of_the_language_and_escaped() {
        let by = || page_text!(TEXTS, "By {author}, {time}", author = html! { b { "<Ada>" } }, time = "1 < 2").0;
        assert_eq!(by(), "By <b>&lt;Ada&gt;</b>, 1 &lt; 2");
        assert_eq!(Language::German.of_part(by), "1 &lt; 2 von <b>&lt;Ada&gt;</b>");
        let title = || page_title!(TEXTS, "By {author}, {time}", author = "<Ada>", time = 1);
        assert_eq!(Language::German.of_part(title), "1 von <Ada>");
    }

    #[test]
    fn one_is_not_several() {
        let files = |n| counted(n, page_text!(TEXTS, "{n} file"), page_text!(TEXTS, "{n} files"));
        assert_eq!([files(0), files(1)], ["0 files", "1 file"]);
        assert_eq!(Language::German.of_part(|| files(2)), "2 Dateien");
    }
}
