//! The form for a document, as Markdown.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{document, of_others, versions::current};
use crate::{faces::pages::typed::typed, files::versions::read::VersionAnswer};
use cloud_content::documents::{content::DocumentContent, markdown::write};

/// The fields, and what happens to the edits that others have made meanwhile.
pub async fn form(visit: &SignedIn, base: &VersionAnswer, is_sent: bool) -> Result<(Markup, Markup), Error> {
    let content: DocumentContent = serde_json::from_str(base.content.get())?;
    let text = if is_sent { typed(visit, "text") } else { write::write(&content) };
    let newest: Option<DocumentContent> = current(visit, base).await?;
    // While the text cannot be read as a document, the page says nothing about the edits of others.
    let edits = match newest.filter(|newest| newest.blocks != content.blocks) {
        Some(newest) => document::edits(&content, &newest, &text)?.ok(),
        None => None,
    };
    let replaced = edits.as_ref().map_or(&[][..], |edits| edits.replaced.as_slice());
    let fields = html! {
        (of_others::told(replaced))
        label for="text" { (text!("Text, in Markdown")) }
        // HTML drops a line break at the beginning of a text area.
        textarea.long #text name="text" dir="auto" { "\n" (text) }
    };
    let meanwhile = edits.as_ref().map(|edits| of_others::meanwhile(replaced, !edits.operations.is_empty()));
    Ok((fields, meanwhile.unwrap_or_default()))
}
