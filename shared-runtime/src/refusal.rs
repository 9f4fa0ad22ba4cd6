//! A refusal: the caller can act on it. All its text is public.

use std::borrow::Cow;

use shared_model::{Etag, NextAction, Problem};

use crate::{Code, code};

/// Why a request is refused, and what its sender should do next.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The row of the code table.
    pub code: &'static Code,
    /// The rule, the value and the limit, for a person.
    pub message: Cow<'static, str>,
    /// What a program should do.
    pub next: Option<NextAction>,
    /// Headers of the answer beside the usual ones.
    pub headers: Vec<(&'static str, String)>,
}

impl Refusal {
    /// A refusal with the code's own sentence.
    pub fn new(code: &'static Code) -> Self {
        Self { code, message: Cow::Borrowed(code.sentence), next: None, headers: Vec::new() }
    }

    /// With a more exact message.
    pub fn because(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    /// With what to do next.
    pub fn next(mut self, action: NextAction) -> Self {
        self.next = Some(action);
        self
    }

    /// With one more header.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// 404: nothing here, or nothing for this caller. The two are one answer.
    pub fn not_found() -> Self {
        Self::new(&code::NOT_FOUND)
    }

    /// The request breaks rules; all of them are listed, and the message tells the first.
    pub fn problems(code: &'static Code, problems: Vec<Problem>) -> Self {
        let message = match problems.first() {
            Some(Problem { at, rule }) if at.is_empty() => Cow::Owned(format!("The body {rule}.")),
            Some(Problem { at, rule }) => Cow::Owned(format!("{at} {rule}.")),
            None => Cow::Borrowed(code.sentence),
        };
        Self::new(code).because(message).next(NextAction::CorrectRequest { problems })
    }

    /// 400: one parameter or header is wrong.
    pub fn parameter(name: &str, rule: impl Into<String>) -> Self {
        Self::problems(&code::INVALID_REQUEST, vec![Problem { at: name.to_owned(), rule: rule.into() }])
    }

    /// 412: what the caller saw is no longer what is there.
    pub fn stale(href: impl Into<String>, current: Etag) -> Self {
        Self::new(&code::ETAG_MISMATCH).next(NextAction::Refresh { href: href.into(), etag: Some(current.to_string()) })
    }
}
