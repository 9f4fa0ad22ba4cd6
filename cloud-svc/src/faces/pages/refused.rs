//! What a page says about a form that was refused. What was typed stays in the form, or is shown here.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::{Error, NextAction, Refusal, Timestamp, code};
use shared_runtime::{
    identity::Actor,
    pages::{SignedIn, TypedText, in_english, what_next, what_was_typed},
};

use super::phrases::{actor, ago};
use crate::{base::ids::FileId, files::precondition::CHANGED};

// The latest changes of the workspace tell who has just changed the file.
const LATEST: &str = "50";

#[derive(Deserialize)]
struct LatestChanges {
    items: Vec<LatestChange>,
}

#[derive(Deserialize)]
pub struct LatestChange {
    pub actor: Actor,
    pub at: Timestamp,
    file_id: Option<FileId>,
}

/// Whether the page of the form can show the refusal. The others would refuse the page too.
pub fn is_shown(refusal: &Refusal) -> bool {
    ![401, 404, 429, 503].contains(&refusal.code.status)
}

/// `file` is what the form is about, and `page` is the rest of the page.
pub async fn alert(visit: &SignedIn, file: Option<FileId>, refusal: &Refusal, page: &Markup) -> Result<Markup, Error> {
    alert_with(visit, file, refusal, &lost(visit, page)).await
}

/// The same, with `lost`: the typed texts that are in no form of the page.
pub async fn alert_with(
    visit: &SignedIn,
    file: Option<FileId>,
    refusal: &Refusal,
    lost: &[TypedText],
) -> Result<Markup, Error> {
    said(visit, file, refusal, (&reason(refusal), lost)).await
}

/// As [`alert`], with the reason in words of the page itself. They also say who has changed a file.
pub async fn alert_because(
    visit: &SignedIn,
    refusal: &Refusal,
    reason: &Markup,
    page: &Markup,
) -> Result<Markup, Error> {
    said(visit, None, refusal, (reason, &lost(visit, page))).await
}

async fn said(
    visit: &SignedIn,
    file: Option<FileId>,
    refusal: &Refusal,
    (reason, lost): (&Markup, &[TypedText]),
) -> Result<Markup, Error> {
    // For other refusals it does not matter who has changed the file.
    let is_conflict = matches!(refusal.code.status, 409 | 412);
    let change = match file.filter(|_| is_conflict) {
        Some(file) => latest_change(visit, file).await?,
        None => None,
    };
    let now = visit.context.clock.now();
    let typed = visit.typed();
    Ok(html! {
        div.alert role="alert" {
            p { strong { (text!("Nothing was done.")) } " " (reason) }
            @if let Some(change) = change {
                p { (text!("Changed by {author}, {time}.", author = actor(&change.actor), time = ago(now, change.at))) }
            }
            @match refusal.next_action(false) {
                // The page is loaded again already.
                Some(NextAction::Refresh { .. } | NextAction::Rebase { .. }) => {
                    @if !typed.is_empty() && lost.is_empty() {
                        p { (text!("What you typed is still there. Send it again if you still want it.")) }
                    }
                }
                next => (what_next(next.as_ref())),
            }
            (what_was_typed(lost))
        }
    })
}

/// Why, in a sentence.
pub fn reason(refusal: &Refusal) -> Markup {
    // A person knows no key: it belongs to the form.
    if *refusal.code == code::IDEMPOTENCY_KEY_REUSED {
        return html! {
            (text!("This form was already sent with other content. Send it again if you want this content too."))
        };
    }
    // The name and the time of the change are for programs.
    if refusal.message.starts_with(CHANGED) {
        return html! { (text!("The file has changed meanwhile.")) };
    }
    // A member of the body is a field of the form: its name without the slash.
    in_english(refusal.message.trim_start_matches('/'))
}

/// The typed texts that no form of the page has.
// Found in the page itself, so that no form must say when it is shown.
pub fn lost(visit: &SignedIn, page: &Markup) -> Vec<TypedText> {
    let mut typed = visit.typed();
    typed.retain(|typed| {
        let text = html! { (typed.text) }.0;
        // The value of an input, or a whole text area.
        let fields = [format!("value=\"{text}\""), format!(">\n{text}</textarea>")];
        !fields.iter().any(|field| page.0.contains(field))
    });
    typed
}

/// The latest change of a file, if it is among the latest of the workspace.
pub async fn latest_change(visit: &SignedIn, file: FileId) -> Result<Option<LatestChange>, Error> {
    let changes: LatestChanges = visit.operation("list_recent_changes").query("limit", LATEST).answer().await?;
    Ok(changes.items.into_iter().find(|change| change.file_id == Some(file)))
}
