//! The form for a note: its title and its text.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{note, of_others, versions::current};
use crate::{faces::pages::typed::typed, files::versions::read::VersionAnswer};
use cloud_content::notes::content::NoteContent;

/// The fields, and what happens to the edits that others have made meanwhile.
pub async fn form(visit: &SignedIn, base: &VersionAnswer, is_sent: bool) -> Result<(Markup, Markup), Error> {
    let content: NoteContent = serde_json::from_str(base.content.get())?;
    let (title, text) = match is_sent {
        true => (typed(visit, "title"), typed(visit, "text")),
        false => (content.title.clone(), content.content.clone()),
    };
    let newest: Option<NoteContent> = current(visit, base).await?;
    let newest = newest.filter(|newest| newest.title != content.title || newest.content != content.content);
    let edits = note::edits(&content, newest.as_ref(), &title, &text);
    let fields = html! {
        (of_others::told(&edits.replaced))
        label for="title" { (text!("Title")) }
        input.wide #title name="title" value=(title) dir="auto";
        label for="text" { (text!("Text, shown as Markdown")) }
        // HTML drops a line break at the beginning of a text area.
        textarea.long #text name="text" dir="auto" { "\n" (text) }
    };
    let keeps_both = newest.is_some() && !edits.operations.is_empty();
    Ok((fields, of_others::meanwhile(&edits.replaced, keeps_both)))
}
