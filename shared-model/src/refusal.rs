//! A refusal: the caller can act on it. All its text is public.

use std::borrow::Cow;

use crate::{error_body::NextAction, problem::Problem};

/// One way to be refused: a row of a code table.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `error.code` on the wire, stable for ever.
    pub name: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What a program does next, unless the refusal says something more exact.
    pub next: NextStep,
    /// `error.message`, unless the refusal says something more exact.
    pub sentence: &'static str,
}

/// The kind of `next_action` that comes with a code. Answers and the OpenAPI document both take it from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// `correct_request`; the refusal lists the problems.
    Correct,
    /// `correct_request` with this one problem: a parameter or JSON pointer, and its rule.
    CorrectOne(&'static str, &'static str),
    /// `correct_request`: a parameter of the path names nothing. At a URL that is no route, `read_document`.
    CorrectPath,
    /// `use_method`; the refusal lists the methods.
    UseMethod,
    /// `authenticate`; the refusal names the protected-resource metadata.
    Authenticate,
    /// `request_scope`; the refusal names the scope.
    RequestScope,
    /// `new_key`.
    NewKey,
    /// `wait` for this many seconds.
    Wait(u64),
    /// The same as [`Self::Wait`] for a request without an idempotency key; with one, `retry_same_key`.
    Retry(u64),
    /// `retry_same_key` with an idempotency key; without one, `contact_support`.
    RetryKeyed(u64),
    /// `refresh`; the refusal says what to read again, by a path like this one; empty: by the operation's own.
    Refresh(&'static str),
    /// `poll` after this many seconds; the refusal says where, by a path like this one.
    Poll(&'static str, u64),
    /// `rebase`; the refusal says where to ask for it, by a path like this one.
    Rebase(&'static str),
    /// `send_chunk`; the refusal says which, and where to, by a path like this one.
    SendChunk(&'static str),
    /// `use_receipt`; the refusal says where it is, by a path like this one.
    UseReceipt(&'static str),
    /// `contact_support`.
    ContactSupport,
}

impl NextStep {
    /// The action, where the code alone determines it.
    pub fn action(self, has_key: bool) -> Option<NextAction> {
        match self {
            Self::CorrectOne(at, rule) => {
                let problems = vec![Problem { at: at.to_owned(), rule: rule.to_owned() }];
                Some(NextAction::CorrectRequest { problems })
            }
            Self::NewKey => Some(NextAction::NewKey),
            Self::Retry(after_seconds) | Self::RetryKeyed(after_seconds) if has_key => {
                Some(NextAction::RetrySameKey { after_seconds })
            }
            Self::Wait(after_seconds) | Self::Retry(after_seconds) => Some(NextAction::Wait { after_seconds }),
            Self::RetryKeyed(_) | Self::ContactSupport => Some(NextAction::ContactSupport),
            Self::Correct
            | Self::CorrectPath
            | Self::UseMethod
            | Self::Authenticate
            | Self::RequestScope
            | Self::Refresh(_)
            | Self::Poll(..)
            | Self::Rebase(_)
            | Self::SendChunk(_)
            | Self::UseReceipt(_) => None,
        }
    }

    /// The types of `next_action` that it may come to.
    pub fn types(self) -> &'static [&'static str] {
        match self {
            Self::Correct | Self::CorrectOne(..) => &["correct_request"],
            Self::CorrectPath => &["correct_request", "read_document"],
            Self::UseMethod => &["use_method"],
            Self::Authenticate => &["authenticate"],
            Self::RequestScope => &["request_scope"],
            Self::NewKey => &["new_key"],
            Self::Wait(_) => &["wait"],
            Self::Retry(_) => &["retry_same_key", "wait"],
            Self::RetryKeyed(_) => &["contact_support", "retry_same_key"],
            Self::Refresh(_) => &["refresh"],
            Self::Poll(..) => &["poll"],
            Self::Rebase(_) => &["rebase"],
            Self::SendChunk(_) => &["send_chunk"],
            Self::UseReceipt(_) => &["use_receipt"],
            Self::ContactSupport => &["contact_support"],
        }
    }

    /// Seconds for `Retry-After`, where the step is to wait.
    pub fn wait_seconds(self) -> Option<u64> {
        match self {
            Self::Wait(seconds) | Self::Retry(seconds) | Self::Poll(_, seconds) => Some(seconds),
            _ => None,
        }
    }
}

impl Code {
    /// A refusal with this code and its sentence.
    pub fn refusal(&'static self) -> Refusal {
        Refusal::new(self)
    }

    /// A refusal with this code and a more exact message.
    pub fn because(&'static self, message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal::new(self).because(message)
    }
}

/// A table of codes: a constant for each row, and `ALL` of them.
#[macro_export]
macro_rules! code_table {
    ($($name:ident = $code:literal, $status:literal, $next:ident $(($($argument:expr),+))?, $sentence:literal;)+) => {
        $(
            #[doc = concat!($status, ": ", $sentence)]
            pub const $name: $crate::Code = $crate::Code {
                name: $code,
                status: $status,
                next: $crate::refusal::NextStep::$next $(($($argument),+))?,
                sentence: $sentence,
            };
        )+
        /// Every code of this table.
        pub const ALL: &[&$crate::Code] = &[$(&$name),+];
    };
}

/// Why a request is refused, and what its sender does next.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The row of the code table.
    pub code: &'static Code,
    /// The rule, the value and the limit, for a person.
    pub message: Cow<'static, str>,
    /// What a program does next, where the code's own [`NextStep`] does not say it all.
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

    /// With a more exact next action.
    pub fn next(mut self, action: NextAction) -> Self {
        self.next = Some(action);
        self
    }

    /// With one more header.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The request breaks rules; all of them are listed, and the message is the first.
    pub fn problems(code: &'static Code, problems: Vec<Problem>) -> Self {
        let message = match problems.first() {
            Some(Problem { at, rule }) if at.is_empty() => Cow::Owned(format!("The body {rule}.")),
            Some(Problem { at, rule }) => Cow::Owned(format!("{at} {rule}.")),
            None => Cow::Borrowed(code.sentence),
        };
        Self::new(code).because(message).next(NextAction::CorrectRequest { problems })
    }

    /// What a program does next; `has_key` when the request carries an idempotency key.
    pub fn next_action(&self, has_key: bool) -> Option<NextAction> {
        self.next.clone().or_else(|| self.code.next.action(has_key))
    }
}
