//! What a person has typed into a form, for pages that cannot show the form again.

use std::sync::Arc;

use actix_web::{HttpMessage as _, HttpRequest};
use maud::{Markup, html};
use sha2::{Digest as _, Sha256};

use super::{fields::Fields, text::Text};

/// The fields of a form into which people type, each with its label.
pub type TypedFields = &'static [(&'static str, Text)];

/// A text that was typed.
#[derive(Clone, Debug)]
pub struct TypedText {
    pub label: Text,
    /// Tells fields with the same label apart, for example by the address of a cell.
    pub place: Option<String>,
    pub text: String,
}

impl TypedText {
    pub fn new(label: Text, text: String) -> Self {
        Self { label, place: None, text }
    }

    pub fn at(label: Text, place: String, text: String) -> Self {
        Self { label, place: Some(place), text }
    }

    /// A hidden field `before-PREFIX` about the fields `PREFIX-0`, `PREFIX-1` …: the place and the text of each, before
    /// anybody types. With it, only changed texts count as typed, each with its place. A place has no space.
    // It has hashes, because the texts would double the form. The form brings them, because a page without a
    // session cannot read the content.
    pub fn before<'t>(prefix: &str, fields: impl Iterator<Item = (String, &'t str)>) -> Markup {
        let fields: Vec<String> = fields.map(|(place, text)| format!("{place}={}", hash(text))).collect();
        html! { input type="hidden" name=(name_before(prefix)) value=(fields.join(" ")); }
    }
}

/// The form of a request, kept for a page of a refusal.
struct SentForm {
    fields: Arc<Fields>,
    typed: TypedFields,
}

/// Whether a page of this service sent the request.
// Other sites can send forms too. This service must not show their texts to a person as the person's own.
// Browsers set this header, and no site can change it. `Origin` is "null", because pages send no referrer.
pub fn is_from_own_page(request: &HttpRequest) -> bool {
    let mut sites = request.headers().get_all("sec-fetch-site");
    sites.next().is_some_and(|site| site == "same-origin") && sites.next().is_none()
}

/// Keeps a form of a page of this service until the request is answered.
pub fn keep(request: &HttpRequest, fields: &Arc<Fields>, typed: TypedFields) {
    if is_from_own_page(request) {
        request.extensions_mut().insert(SentForm { fields: Arc::clone(fields), typed });
    }
}

/// What the kept form says; nothing if none is kept.
pub fn kept(request: &HttpRequest) -> Markup {
    let extensions = request.extensions();
    extensions.get::<SentForm>().map(|form| what_was_typed(&texts(&form.fields, form.typed))).unwrap_or_default()
}

/// The texts in the order of the fields, without the empty ones. A text that was emptied is one if the form tells so.
pub fn texts(fields: &Fields, typed: TypedFields) -> Vec<TypedText> {
    let of = |(name, label): &(&str, Text)| {
        let one = fields.get(name).map(|text| TypedText::new(*label, plain(text)));
        one.into_iter().chain(numbered(fields, name, *label)).collect::<Vec<_>>()
    };
    let texts = typed.iter().flat_map(of);
    texts.filter(|typed| typed.place.is_some() || !typed.text.trim().is_empty()).collect()
}

/// The texts of numbered fields: of those that differ from before, if the form tells ([`TypedText::before`]).
fn numbered(fields: &Fields, prefix: &str, label: Text) -> Vec<TypedText> {
    let Some(before) = fields.get(&name_before(prefix)) else {
        return fields.numbered(prefix).into_iter().map(|text| TypedText::new(label, plain(text))).collect();
    };
    let changed = |(number, field): (usize, &str)| {
        let (place, hash_before) = field.rsplit_once('=')?;
        let text = plain(fields.get(&format!("{prefix}-{number}"))?);
        (hash(&text) != hash_before).then(|| TypedText::at(label, place.to_owned(), text))
    };
    before.split(' ').enumerate().filter_map(changed).collect()
}

fn name_before(prefix: &str) -> String {
    format!("before-{prefix}")
}

fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text)[..8])
}

// Browsers send CR LF from text areas.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Shows texts so that a person can copy them.
pub fn what_was_typed(texts: &[TypedText]) -> Markup {
    // The texts of numbered fields share a label: one area holds them, each on a line of its own.
    let areas = texts.chunk_by(|one, next| one.label.english() == next.label.english());
    html! {
        @if !texts.is_empty() {
            div role="group" aria-labelledby="typed" {
                p {
                    strong #typed { (text!("What you typed")) } ": "
                    (text!("it is not saved. Copy it before you leave this page."))
                }
                @for (index, area) in areas.enumerate() {
                    @let id = format!("typed-{index}");
                    label for=(id) { (area[0].label) }
                    // HTML drops a line break at the beginning of a text area.
                    textarea id=(id) readonly dir="auto" {
                        "\n"
                        @for (line, typed) in area.iter().enumerate() {
                            @if line > 0 { "\n" }
                            @if let Some(place) = &typed.place { (place) ": " }
                            (typed.text)
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{page_text, pages::text::Texts, translations};

    const TEXTS: Texts = Texts { german: &[translations! { "Title" => "Titel", "Cells" => "Zellen" }] };
    const TYPED: TypedFields = &[("title", page_text!(TEXTS, "Title")), ("cell", page_text!(TEXTS, "Cells"))];

    /// What is shown of a form with these fields.
    fn shown(fields: &[(&str, &str)]) -> (Vec<TypedText>, String) {
        let pairs = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let texts = texts(&Fields::from_pairs(pairs, |_| true).expect("a form"), TYPED);
        let shown = what_was_typed(&texts).into_string();
        (texts, shown)
    }

    #[test]
    fn only_the_typed_fields_are_shown_and_numbered_ones_in_their_order() {
        let (texts, shown) = shown(&[
            ("csrf", "secret"),
            ("key", "k"),
            ("cell-10", "z"),
            ("cell-2", "a\r\nb"),
            ("cell-3", " "),
            ("title", "<b>"),
            ("cell-x", "no"),
            ("cells-1", "no"),
        ]);
        assert_eq!(texts.iter().map(|typed| typed.text.as_str()).collect::<Vec<_>>(), ["<b>", "a\nb", "z"]);
        assert!(shown.contains(">\n&lt;b&gt;</textarea>") && shown.contains(">\na\nb\nz</textarea>"), "{shown}");
        assert!(!shown.contains("secret") && !shown.contains("no</"), "{shown}");
        assert_eq!(what_was_typed(&[]).into_string(), "");
    }

    #[test]
    fn a_form_that_tells_what_was_before_shows_only_changes_each_with_its_place() {
        let before = [("A1", "Rent"), ("B1", "900"), ("A2", "two\nlines"), ("B2", ""), ("A3", "Food")];
        let hidden = TypedText::before("cell", before.iter().map(|(place, text)| ((*place).to_owned(), *text))).0;
        let hidden = hidden.strip_prefix("<input type=\"hidden\" name=\"before-cell\" value=\"");
        let hidden = hidden.and_then(|field| field.strip_suffix("\">")).expect("a hidden field");
        let now = ["Rent", "1<0", "two\r\nlines", " ", ""];
        let names: Vec<String> = (0..now.len()).map(|number| format!("cell-{number}")).collect();
        let typed = names.iter().map(String::as_str).zip(now);
        let fields: Vec<_> = [("before-cell", hidden), ("title", "")].into_iter().chain(typed).collect();
        let (texts, page) = shown(&fields);
        let places: Vec<_> = texts.iter().filter_map(|typed| typed.place.as_deref()).collect();
        assert_eq!(places, ["B1", "B2", "A3"]);
        assert!(page.contains(">\nB1: 1&lt;0\nB2:  \nA3: </textarea>"), "{page}");
        assert!(shown(&[("before-cell", hidden)]).0.is_empty(), "a field that did not arrive was not changed");
    }
}
