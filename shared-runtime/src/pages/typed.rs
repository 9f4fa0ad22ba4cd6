//! What a person has typed into a form, for pages that cannot show the form again.

use std::sync::Arc;

use actix_web::{HttpMessage as _, HttpRequest};
use maud::{Markup, html};

use super::{fields::Fields, text::Text};

/// The fields of a form into which people type, each with its label.
pub type TypedFields = &'static [(&'static str, Text)];

/// A text that was typed, with the label of its field.
pub type TypedText = (Text, String);

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

/// The texts in the order of the fields, without the empty ones.
pub fn texts(fields: &Fields, typed: TypedFields) -> Vec<TypedText> {
    let of = |(name, label): &(&str, Text)| {
        let values = fields.get(name).into_iter().chain(fields.numbered(name));
        // Browsers send CR LF from text areas.
        let texts = values.map(|value| value.replace("\r\n", "\n")).filter(|text| !text.trim().is_empty());
        texts.map(|text| (*label, text)).collect::<Vec<_>>()
    };
    typed.iter().flat_map(of).collect()
}

/// Shows texts so that a person can copy them.
pub fn what_was_typed(texts: &[TypedText]) -> Markup {
    // The texts of numbered fields share a label: one area holds them, each on a line of its own.
    let areas = texts.chunk_by(|(one, _), (next, _)| one.english() == next.english());
    html! {
        @if !texts.is_empty() {
            div role="group" aria-labelledby="typed" {
                p {
                    strong #typed { (text!("What you typed")) } ": "
                    (text!("it is not saved. Copy it before you leave this page."))
                }
                @for (index, area) in areas.enumerate() {
                    @let id = format!("typed-{index}");
                    label for=(id) { (area[0].0) }
                    // HTML drops a line break at the beginning of a text area.
                    textarea id=(id) readonly dir="auto" {
                        "\n"
                        @for (line, (_, text)) in area.iter().enumerate() { @if line > 0 { "\n" } (text) }
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

    #[test]
    fn only_the_typed_fields_are_shown_and_numbered_ones_in_their_order() {
        let sent = "csrf=secret&key=k&cell-10=z&cell-2=a%0D%0Ab&cell-3=+&title=%3Cb%3E&cell-x=no&cells-1=no";
        let fields = Fields::read(sent.as_bytes(), |_| true).expect("a form");
        let texts = texts(&fields, TYPED);
        assert_eq!(texts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["<b>", "a\nb", "z"]);
        let shown = what_was_typed(&texts).into_string();
        assert!(shown.contains(">\n&lt;b&gt;</textarea>") && shown.contains(">\na\nb\nz</textarea>"), "{shown}");
        assert!(!shown.contains("secret") && !shown.contains("no</"), "{shown}");
        assert_eq!(what_was_typed(&[]).into_string(), "");
    }
}
