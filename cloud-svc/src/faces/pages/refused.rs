//! What a page says above a form that was refused. What was typed stays in the form.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::{Error, NextAction, Refusal, Timestamp};
use shared_runtime::{
    identity::Actor,
    pages::{SignedIn, in_english, what_next},
};

use super::phrases::{actor, ago};
use crate::base::ids::FileId;

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

/// `file` is what the form is about.
pub async fn alert(visit: &SignedIn, file: Option<FileId>, refusal: &Refusal) -> Result<Markup, Error> {
    // For other refusals it does not matter who has changed the file.
    let is_conflict = matches!(refusal.code.status, 409 | 412);
    let change = match file.filter(|_| is_conflict) {
        Some(file) => latest_change(visit, file).await?,
        None => None,
    };
    let now = visit.context.clock.now();
    Ok(html! {
        div.alert role="alert" {
            // A member of the body is a field of the form: its name without the slash.
            p { strong { (text!("Nothing was done.")) } " " (in_english(refusal.message.trim_start_matches('/'))) }
            @if let Some(change) = change {
                p { (text!("Changed by {author}, {time}.", author = actor(&change.actor), time = ago(now, change.at))) }
            }
            @match refusal.next_action(false) {
                // The page is loaded again already.
                Some(NextAction::Refresh { .. } | NextAction::Rebase { .. }) => {
                    p {
                        (text!("What you typed is still there. Send it again if you still want it."))
                    }
                }
                next => (what_next(next.as_ref())),
            }
        }
    })
}

/// The latest change of a file, if it is among the latest of the workspace.
pub async fn latest_change(visit: &SignedIn, file: FileId) -> Result<Option<LatestChange>, Error> {
    let changes: LatestChanges = visit.operation("list_recent_changes").query("limit", LATEST).answer().await?;
    Ok(changes.items.into_iter().find(|change| change.file_id == Some(file)))
}
