//! The form for a document, as Markdown.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{
    document::{self, DocumentEdits, Replaced},
    versions::current,
};
use crate::{
    faces::pages::{plan::compare, typed::typed},
    files::versions::read::VersionAnswer,
};
use cloud_content::documents::{content::DocumentContent, markdown::write};

/// The fields, and what becomes of that which others have written meanwhile.
pub async fn form(visit: &SignedIn, base: &VersionAnswer, is_sent: bool) -> Result<(Markup, Markup), Error> {
    let content: DocumentContent = serde_json::from_str(base.content.get())?;
    let text = if is_sent { typed(visit, "text") } else { write::write(&content) };
    let newest: Option<DocumentContent> = current(visit, base).await?;
    // What cannot be read as a document is told about when it can.
    let edits = match newest.filter(|newest| newest.blocks != content.blocks) {
        Some(newest) => document::edits(&content, &newest, &text)?.ok(),
        None => None,
    };
    let replaced = edits.as_ref().map_or(&[][..], |edits| edits.replaced.as_slice());
    let told: Vec<&str> = replaced.iter().map(|replaced| replaced.id.as_str()).collect();
    let fields = html! {
        input type="hidden" name="told" value=(told.join(" "));
        label for="text" { (text!("Text, in Markdown")) }
        // HTML drops a line break at the beginning of a text area.
        textarea.long #text name="text" dir="auto" { "\n" (text) }
    };
    Ok((fields, edits.as_ref().map(meanwhile).unwrap_or_default()))
}

fn meanwhile(edits: &DocumentEdits) -> Markup {
    html! {
        @if !edits.replaced.is_empty() {
            div.alert {
                p { strong { (text!("Others have changed the same parts. Send yours again to replace theirs.")) } }
                ul { @for replaced in &edits.replaced { li.as-written dir="auto" { (theirs(replaced)) } } }
            }
        } @else if !edits.operations.is_empty() {
            p { (text!("Others have changed other parts. Send yours again, and both are kept.")) }
        }
    }
}

/// The whole text, so that a person can put both together.
fn theirs(replaced: &Replaced) -> Markup {
    match &replaced.theirs {
        Some(theirs) => html! { (theirs) },
        None => compare::gone(&html! { (replaced.before) }),
    }
}
