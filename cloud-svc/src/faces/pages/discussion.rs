//! Comments: beside their part if it is on the page, and below the content otherwise.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
};

use maud::{Markup, html};

use super::{
    comment_forms::Forms,
    phrases::{actor, counted, file_href, time},
};
use crate::{
    base::ids::{CommentId, PlanId},
    files::comments::{
        comment::{CommentRecord, CommentStatus},
        list::CommentList,
    },
};
use cloud_content::anchor::Anchor;

pub struct Discussion<'v> {
    forms: Forms<'v>,
    comments: Vec<CommentRecord>,
    orphaned: HashSet<CommentId>,
    /// For each reply, the comment that it replies to.
    parents: BTreeMap<CommentId, CommentId>,
    /// For each comment, the plans that answer it.
    answers: BTreeMap<CommentId, Vec<PlanId>>,
    next: Option<String>,
    // A cell, because rendering borrows the discussion and notes here which comments it has shown.
    beside: RefCell<HashSet<usize>>,
}

impl<'v> Discussion<'v> {
    pub fn new(forms: Forms<'v>, list: CommentList) -> Self {
        let CommentList { items: comments, next_cursor: next, orphaned, mut parents, answers, .. } = list;
        let orphaned = orphaned.into_iter().collect();
        // A reply without its comment on this page stands by itself.
        parents.retain(|_, parent| comments.iter().any(|comment| comment.id == *parent));
        Self { forms, comments, orphaned, parents, answers, next, beside: RefCell::default() }
    }

    /// The comments on a part. They do not appear in [`others`](Self::others) any more.
    pub fn beside(&self, id: &str) -> Markup {
        let is_about = |anchor: &Anchor| {
            [&anchor.block_id, &anchor.slide_id].into_iter().flatten().any(|part| part.as_str() == id)
        };
        let about: Vec<_> = self.comments.iter().enumerate().filter(|(_, comment)| is_about(&comment.anchor)).collect();
        self.beside.borrow_mut().extend(about.iter().map(|(index, _)| *index));
        html! {
            @if !about.is_empty() {
                div.comments role="group" aria-label=(counted(about.len(), text!("{n} comment"), text!("{n} comments"))) {
                    // The list is newest first, but people read a thread in the order in which it was written.
                    @for (_, comment) in about.iter().rev() { (self.comment(comment, false)) }
                }
            }
        }
    }

    /// The other comments, and a link to older ones. Call it after the content is rendered.
    pub fn others(&self, older: impl Fn(&str) -> String) -> Markup {
        let beside = self.beside.borrow();
        let others: Vec<_> = self
            .comments
            .iter()
            .enumerate()
            .filter(|(index, comment)| !beside.contains(index) && !self.parents.contains_key(&comment.id))
            .map(|(_, comment)| comment)
            .collect();
        html! {
            section.comments-below aria-labelledby="comments" {
                h2 #comments { (text!("Comments")) }
                (self.forms.write())
                @if self.comments.is_empty() { p.note { (text!("None.")) } }
                @if !beside.is_empty() {
                    p.note {
                        (counted(beside.len(), text!("{n} comment is beside the content."), text!("{n} comments are beside the content.")))
                    }
                }
                @for comment in others { (self.comment(comment, true)) }
                @if let Some(cursor) = &self.next {
                    p { a rel="next" href=(older(cursor)) { (text!("Older comments")) } }
                }
            }
        }
    }

    fn comment(&self, comment: &CommentRecord, with_place: bool) -> Markup {
        let is_resolved = comment.status == CommentStatus::Resolved;
        html! {
            article.comment.resolved[is_resolved] id=(comment.id) {
                p.by {
                    (actor(&comment.actor)) ", " (time(comment.created_at))
                    @if is_resolved { " " span.state { (text!("Resolved")) } }
                    @if self.orphaned.contains(&comment.id) { " " span.state { (text!("Its place is deleted")) } }
                    @if with_place && !comment.anchor.is_whole() {
                        " · " (text!("on {place}", place = html! { code { bdi { (comment.anchor.to_string()) } } }))
                    }
                }
                p.as-written dir="auto" { (comment.text) }
                @for plan in self.answers.get(&comment.id).into_iter().flatten() {
                    p.answer {
                        a href=(format!("{}/plans/{plan}", file_href(comment.file_id))) {
                            (text!("A plan answers this"))
                        }
                    }
                }
                @for reply in self.replies(comment.id) { (self.comment(reply, false)) }
                (self.forms.about(comment, self.parents.contains_key(&comment.id)))
            }
        }
    }

    // Oldest first, as they were written.
    fn replies(&self, to: CommentId) -> impl Iterator<Item = &CommentRecord> {
        self.comments.iter().rev().filter(move |comment| self.parents.get(&comment.id) == Some(&to))
    }
}
