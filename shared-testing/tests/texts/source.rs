//! The texts in the source of pages: those of `text!` and `title!`, and those that stand there by themselves.

use proc_macro2::{Delimiter, Group, LexError, Literal, Spacing, TokenStream, TokenTree};

/// Attributes that people see or hear.
const VISIBLE: [&str; 5] = ["aria-label", "title", "placeholder", "alt", "label"];
/// Calls and macros whose texts are for logs and for programs: failures, refusals of the API, commands.
const NOT_SHOWN: [&str; 17] = [
    "Err",
    "Problem",
    "because",
    "command",
    "debug",
    "expect",
    "fault",
    "info",
    "invalid_parameter",
    "link_rel",
    "note",
    "panic",
    "problem",
    "too_large",
    "unavailable",
    "warn",
    "error",
];

#[derive(Default)]
pub struct Texts {
    pub used: Vec<String>,
    /// Visible, and in no table, with their lines.
    pub loose: Vec<(usize, String)>,
}

/// Of one file, without its tests.
pub fn read(text: &str) -> Result<Texts, LexError> {
    let mut texts = Texts::default();
    texts.rust(&text.parse::<TokenStream>()?.into_iter().collect::<Vec<_>>(), true);
    Ok(texts)
}

impl Texts {
    /// Tokens of Rust; whether texts in them may be visible.
    fn rust(&mut self, tokens: &[TokenTree], is_shown: bool) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    // An attribute, of what follows or of what it stands in.
                    at += if tokens.get(at + 1).is_some_and(|next| is_punct(next, '!')) { 2 } else { 1 };
                    let is_test =
                        tokens.get(at).is_some_and(|attribute| attribute.to_string().replace(' ', "") == "[cfg(test)]");
                    if is_test {
                        // Up to the end of the item: its body, or its semicolon.
                        at += tokens[at..].iter().position(is_end).unwrap_or_default();
                    }
                }
                TokenTree::Ident(name) => {
                    let is_macro = tokens.get(at + 1).is_some_and(|next| is_punct(next, '!'));
                    let place = at + if is_macro { 2 } else { 1 };
                    if let Some(inside) = group(tokens.get(place)) {
                        self.named(&name.to_string(), inside, is_macro, is_shown);
                        at = place;
                    }
                }
                TokenTree::Group(inside) => self.rust(&tokens_of(inside), is_shown),
                TokenTree::Literal(literal) if is_shown => self.loose.extend(
                    string(literal).filter(|text| is_prose(text)).map(|text| (literal.span().start().line, text)),
                ),
                _ => {}
            }
            at += 1;
        }
    }

    /// What stands behind a name, as an argument of a call or of a macro.
    fn named(&mut self, name: &str, inside: &Group, is_macro: bool, is_shown: bool) {
        let tokens = tokens_of(inside);
        match name {
            "html" if is_macro => self.html(&tokens),
            "text" | "title" | "page_text" | "page_title" if is_macro => {
                let first = tokens.iter().position(|token| matches!(token, TokenTree::Literal(_)));
                let Some(first) = first.filter(|_| name == "text" || name == "title") else { return };
                if let TokenTree::Literal(literal) = &tokens[first] {
                    self.used.extend(string(literal));
                }
                self.rust(&tokens[first + 1..], is_shown);
            }
            _ => self.rust(&tokens, is_shown && !NOT_SHOWN.contains(&name) && !name.contains("assert")),
        }
    }

    /// Tokens of `html!`, where a text by itself is content.
    fn html(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '@' => at = self.control(tokens, at + 1),
                TokenTree::Literal(literal) if before.is_some_and(|before| is_punct(before, '=')) => {
                    let is_seen = is_seen(tokens, at);
                    self.loose.extend(content(literal).filter(|_| is_seen));
                }
                // What is code in English is code in German.
                TokenTree::Literal(literal) => self.loose.extend(content(literal)),
                TokenTree::Group(inside) if inside.delimiter() == Delimiter::Brace => {
                    if before.is_some_and(|before| is_punct(before, '=')) && !is_seen(tokens, at) {
                        at += 1;
                        continue;
                    }
                    let is_code = before.is_some_and(|before| before.to_string() == "code");
                    if !is_code || tokens_of(inside).iter().all(|token| group(Some(token)).is_some()) {
                        self.html(&tokens_of(inside));
                    }
                }
                TokenTree::Group(inside) => {
                    let is_value = before.is_some_and(|before| is_punct(before, '='));
                    self.rust(&tokens_of(inside), !is_value || is_seen(tokens, at));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// `@if`, `@for`, `@match` and `@let`; the index of its last token.
    fn control(&mut self, tokens: &[TokenTree], start: usize) -> usize {
        let keyword = tokens.get(start).map(ToString::to_string).unwrap_or_default();
        let is_last = |token: &TokenTree| match keyword.as_str() {
            "let" => is_punct(token, ';'),
            _ => matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
        };
        let end = tokens[start..].iter().position(is_last).map_or(tokens.len() - 1, |length| start + length);
        self.rust(&tokens[start..end], true);
        if let (TokenTree::Group(inside), true) = (&tokens[end], keyword != "let") {
            match keyword.as_str() {
                "match" => self.arms(&tokens_of(inside)),
                _ => self.html(&tokens_of(inside)),
            }
        }
        end
    }

    fn arms(&mut self, tokens: &[TokenTree]) {
        let mut rest = tokens;
        // Before the arrow stands a pattern, whose texts nobody sees.
        while let Some(arrow) = rest.windows(2).position(|pair| is_arrow(&pair[0], &pair[1])) {
            rest = &rest[arrow + 2..];
            let end = match rest.first() {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => 1,
                _ => rest.iter().position(|token| is_punct(token, ',')).unwrap_or(rest.len()),
            };
            self.html(&rest[..end]);
            rest = &rest[end..];
        }
    }
}

/// The value of a string literal.
pub fn string(literal: &Literal) -> Option<String> {
    syn::parse_str::<syn::LitStr>(&literal.to_string()).ok().map(|text| text.value())
}

fn content(literal: &Literal) -> Option<(usize, String)> {
    let text = string(literal)?;
    text.chars().any(char::is_alphabetic).then(|| (literal.span().start().line, text))
}

/// A label or a sentence, and no path, header or markup. In Rust a text may be anything, so this is a guess.
fn is_prose(text: &str) -> bool {
    let is_word =
        |word: &str| word.len() > 1 && word.trim_end_matches(['.', ',', ':']).chars().all(char::is_alphabetic);
    let mut first = text.chars();
    let is_label = first.next().is_some_and(char::is_uppercase) && first.next().is_some_and(char::is_lowercase);
    let words = text.split(' ').filter(|word| is_word(word)).count();
    // Rules of the API begin so.
    (is_label || words >= 3) && !text.starts_with("must ") && !text.starts_with('<')
}

/// Whether the value there is one of an attribute that people see or hear.
fn is_seen(tokens: &[TokenTree], value: usize) -> bool {
    let is_name = |token: &&TokenTree| matches!(token, TokenTree::Ident(_)) || is_punct(token, '-');
    // Before the value and its `=`.
    let name = tokens[..value - 1].iter().rev().take_while(is_name);
    let name: Vec<String> = name.map(ToString::to_string).collect::<Vec<_>>().into_iter().rev().collect();
    // Names of elements and of attributes without a value may stand before it: `input required aria-label=…`.
    VISIBLE.iter().any(|visible| name.concat().ends_with(visible))
}

fn tokens_of(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

fn group(token: Option<&TokenTree>) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) => Some(group),
        _ => None,
    }
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

fn is_arrow(first: &TokenTree, second: &TokenTree) -> bool {
    let is_joint = matches!(first, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
    is_joint && is_punct(first, '=') && is_punct(second, '>')
}

fn is_end(token: &TokenTree) -> bool {
    is_punct(token, ';') || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loose(source: &str) -> Vec<String> {
        read(source).expect("Rust").loose.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn texts_that_are_in_no_table_are_found_wherever_they_stand() {
        for seen in [
            "html! { p { \"Seen\" } }",
            "html! { p { (x) \" by \" (y) } }",
            "html! { @if x == \"some\" { \"yes\" } @else { (y) } }",
            "html! { @match x { Some(\"a\") => \"seen\", _ => { p { (y) } } } }",
            "html! { @for x in y { li { \"seen\" } } }",
            "html! { @let x = \"Seen so\"; p { (x) } }",
            "html! { nav aria-label=\"seen\" { } }",
            "html! { input required placeholder=\"seen\"; }",
            "html! { p title=(format!(\"Seen {}\", 1)) { } }",
            "fn f() -> Page { Page::new(\"Seen\", html! {}) }",
            "fn f(x: X) -> &'static str { match x { X::A => \"a text with words\" } }",
            "text!(\"x {y}\", y = html! { b { \"seen\" } })",
            "html! { a title={ \"Seen \" (x) } { } }",
        ] {
            assert_eq!(loose(seen).len(), 1, "{seen}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_text() {
        for unseen in [
            "html! { p.note #id { (text!(\"Seen\")) \", \" } }",
            "html! { input type=\"hidden\" name=\"Some words of it\" value=(\"x\"); }",
            "html! { span class=(format!(\"one two three {}\", 1)) { code { \"SETTING\" } } }",
            "html! { @match x { \"Some\" => (y), _ => \"\" } }",
            "#[doc = \"Some words here\"] fn f() { x.expect(\"a text with words\") }",
            "#[cfg(test)] mod tests { const A: &str = \"Some words here\"; }",
            "html! { a href={ \"/orders/\" (id) } { (id) } }",
            "const TYPE: &str = \"text/html; charset=utf-8\";",
            "Err(Problem { at: \"The file\", rule: \"must be chosen first\" })",
        ] {
            assert_eq!(loose(unseen), [] as [String; 0], "{unseen}");
        }
        assert_eq!(
            read("html! { (text!(\"Seen\")) (title!(\"A {b}\", b = 1)) }").expect("Rust").used,
            ["Seen", "A {b}"]
        );
    }
}
