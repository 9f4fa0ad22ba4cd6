//! The forms of comments.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::{
    actions::{REOPEN, RESOLVE, WRITE},
    phrases::{file_href, is_mine},
    typed::typed,
};
use crate::{
    base::ids::FileId,
    files::{
        comments::comment::{CommentRecord, CommentStatus},
        file::{FileRecord, FileState},
    },
};

/// Which forms a person sees.
pub struct Forms<'v> {
    visit: &'v SignedIn,
    file: FileId,
    may_write: bool,
    is_active: bool,
}

impl<'v> Forms<'v> {
    pub fn new(visit: &'v SignedIn, file: &FileRecord) -> Self {
        let is_active = file.state == FileState::Active;
        Self { visit, file: file.id, may_write: is_active && visit.may("create_comment"), is_active }
    }

    /// A new comment on the whole file.
    pub fn write(&self) -> Markup {
        html! {
            @if self.may_write {
                (self.form(WRITE, "", html! {
                    label for="new-comment" { (text!("Write a comment")) }
                    textarea #new-comment name="text" required maxlength="5000" dir="auto" { "\n" (self.refused_text("")) }
                    button { (text!("Comment")) }
                }))
            }
        }
    }

    /// What may be done about a comment.
    pub fn about(&self, comment: &CommentRecord, is_reply: bool) -> Markup {
        let id = comment.id.to_string();
        let typed = self.refused_text(&id);
        html! {
            div.actions {
                // A reply has no replies of its own, so people answer the comment.
                @if self.may_write && !is_reply {
                    details.reply open[!typed.is_empty()] {
                        summary { (text!("Reply")) }
                        (self.form(WRITE, &id, html! {
                            label.hidden for=(format!("reply-{id}")) { (text!("Your reply")) }
                            textarea id=(format!("reply-{id}")) name="text" required maxlength="5000" dir="auto" { "\n" (typed) }
                            button { (text!("Reply")) }
                        }))
                    }
                }
                @if !is_reply && self.may_settle(comment) { (self.settle(comment, &id)) }
            }
        }
    }

    fn may_settle(&self, comment: &CommentRecord) -> bool {
        let is_own = is_mine(self.visit, &comment.actor) && self.visit.may("resolve_comment");
        self.is_active && (self.visit.may("settle_comment") || is_own)
    }

    fn settle(&self, comment: &CommentRecord, id: &str) -> Markup {
        // Only what changes something: a resolved comment is not resolved again.
        let (action, word) = match comment.status {
            CommentStatus::Open => (RESOLVE, text!("Resolve")),
            CommentStatus::Resolved => (REOPEN, text!("Reopen")),
        };
        self.form(
            action,
            id,
            html! {
                input type="hidden" name="etag" value=(comment.etag);
                button.quiet { (word) }
            },
        )
    }

    // The text of a form that was refused stays in it.
    fn refused_text(&self, comment: &str) -> String {
        let is_this = self.visit.value("comment").unwrap_or_default() == comment;
        if is_this { typed(self.visit, "text") } else { String::new() }
    }

    fn form(&self, action: &str, comment: &str, inside: Markup) -> Markup {
        let fields = html! {
            input type="hidden" name="action" value=(action);
            @if !comment.is_empty() { input type="hidden" name="comment" value=(comment); }
            (inside)
        };
        self.visit.form(&format!("{}/comments", file_href(self.file)), fields)
    }
}
