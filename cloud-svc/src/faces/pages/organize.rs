//! The forms that rename, move and delete a file.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::{
    actions::{PURGE, RENAME, RESTORE, TRASH},
    phrases::file_href,
};
use crate::files::file::{FileRecord, FileState};

/// Only a help: the operations check again.
pub fn show(visit: &SignedIn, file: &FileRecord) -> Markup {
    let form = |action: &str, inside: Markup| {
        let fields = html! {
            input type="hidden" name="action" value=(action);
            // The state of the file that the person has seen.
            input type="hidden" name="etag" value=(file.etag);
            (inside)
        };
        visit.form(&format!("{}/change", file_href(file.id)), fields)
    };
    // The form that was refused is open, so that the person finds it again.
    let sent = visit.value("action");
    if file.state == FileState::Trashed {
        let typed = visit.value("name").filter(|_| sent == Some(PURGE));
        return html! {
            @if visit.may("restore_file") { (form(RESTORE, html! { button { (text!("Take it out of the trash")) } })) }
            @if visit.may("purge_file") {
                details.organize open[sent == Some(PURGE)] {
                    summary { (text!("Delete it for good")) }
                    (form(PURGE, html! {
                        label for="name" {
                            (text!("Type its name to delete it, with all versions. Nobody can bring it back."))
                        }
                        input #name name="name" value=[typed] required autocomplete="off" dir="auto";
                        button.danger { (text!("Delete for good")) }
                    }))
                }
            }
        };
    }
    if !visit.may("rename_file") {
        return Markup::default();
    }
    // What was typed stays, if it was refused.
    let name = if sent == Some(RENAME) { visit.value("name").unwrap_or_default() } else { &file.name };
    html! {
        details.organize open[sent.is_some_and(|sent| [RENAME, TRASH].contains(&sent))] {
            summary { (text!("Rename, move or delete")) }
            (form(RENAME, html! {
                label for="name" { (text!("Name")) }
                div.row {
                    input #name name="name" value=(name) required maxlength="190" dir="auto"; button {
                        (text!("Rename"))
                    }
                }
            }))
            p { a href=(format!("{}/move", file_href(file.id))) { (text!("Move or copy to a folder")) } }
            (form(TRASH, html! { button.danger { (text!("Move to the trash")) } }))
        }
    }
}
