//! A refusal: the caller can act on it. All its text is public.

use std::borrow::Cow;

use crate::{
    error_body::NextAction,
    problem::{Problem, Problems},
};

#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `error.code`. It never changes.
    pub name: &'static str,
    pub status: u16,
    /// The next action, unless the refusal has a more exact one.
    pub next: NextStep,
    /// `error.message`, unless the refusal has a more exact one.
    pub sentence: &'static str,
}

/// The `next_action` of a code. Answers and the OpenAPI document both use it. A path is that of the OpenAPI example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// `correct_request`; the refusal lists the problems.
    Correct,
    /// `correct_request` with this one problem: a parameter or JSON pointer, and its rule.
    CorrectOne(&'static str, &'static str),
    /// `correct_request` for a path parameter that names nothing; `read_document` for a URL without a route.
    CorrectPath,
    /// `use_method`; the refusal lists the methods.
    UseMethod,
    /// `authenticate`; the refusal adds the metadata URL.
    Authenticate,
    /// `request_scope`; the refusal adds the scope.
    RequestScope,
    NewKey,
    /// `wait` for this many seconds.
    Wait(u64),
    /// With an idempotency key `retry_same_key`, otherwise `wait`.
    Retry(u64),
    /// With an idempotency key `retry_same_key`, otherwise `contact_support`: the effect may have happened.
    RetryKeyed(u64),
    /// `refresh` of this path. If it is empty, the operation's own, or has parameters, the refusal adds what to read.
    Refresh(&'static str),
    /// `poll` after this many seconds; the refusal adds where.
    Poll(&'static str, u64),
    /// `rebase`; the refusal adds where.
    Rebase(&'static str),
    /// `send_chunk`; the refusal adds which and where.
    SendChunk(&'static str),
    /// `use_receipt`; the refusal adds where.
    UseReceipt(&'static str),
    /// `request_review`; the refusal adds where.
    RequestReview(&'static str),
    /// `other_actor` with this scope.
    OtherActor(&'static str),
    ContactSupport,
}

impl NextStep {
    /// The action, if the code alone determines it.
    pub fn action(self, has_key: bool) -> Option<NextAction> {
        match self {
            Self::CorrectOne(at, rule) => {
                let problems = vec![Problem { at: at.to_owned(), rule: rule.to_owned() }];
                Some(NextAction::CorrectRequest { problems })
            }
            Self::NewKey => Some(NextAction::NewKey { operation: None, first_used_at: None, href: None }),
            Self::Retry(after_seconds) | Self::RetryKeyed(after_seconds) if has_key => {
                Some(NextAction::RetrySameKey { after_seconds })
            }
            Self::Wait(after_seconds) | Self::Retry(after_seconds) => Some(NextAction::Wait { after_seconds }),
            Self::OtherActor(scope) => Some(NextAction::OtherActor { scope: scope.to_owned() }),
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
            | Self::UseReceipt(_)
            | Self::RequestReview(_) => None,
        }
    }

    /// The possible types of `next_action`, for the OpenAPI document.
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
            Self::RequestReview(_) => &["request_review"],
            Self::OtherActor(_) => &["other_actor"],
            Self::ContactSupport => &["contact_support"],
        }
    }

    /// The `Retry-After` of waiting steps.
    pub fn wait_seconds(self) -> Option<u64> {
        match self {
            Self::Wait(seconds) | Self::Retry(seconds) | Self::Poll(_, seconds) => Some(seconds),
            _ => None,
        }
    }
}

impl Code {
    pub fn refusal(&'static self) -> Refusal {
        Refusal::new(self)
    }

    pub fn because(&'static self, message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal::new(self).because(message)
    }
}

/// Defines a table of codes: a constant for each row, and `ALL`. A first line in brackets takes over rows of a lower crate.
#[macro_export]
macro_rules! code_table {
    ($([$lower:ident::codes: $($taken:ident),+])?
     $($name:ident = $code:literal, $status:literal, $next:ident $(($($argument:expr),+))?, $sentence:literal;)+) => {
        $(pub use $lower::codes::{$($taken),+};)?
        $(
            #[doc = concat!($status, ": ", $sentence)]
            pub const $name: $crate::Code = $crate::Code {
                name: $code,
                status: $status,
                next: $crate::refusal::NextStep::$next $(($($argument),+))?,
                sentence: $sentence,
            };
        )+
        pub const ALL: &[&$crate::Code] = &[$($(&$taken,)+)? $(&$name),+];
    };
}

#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: &'static Code,
    /// The rule, the value and the limit, for a person.
    pub message: Cow<'static, str>,
    /// `None`: the code's own step.
    pub next: Option<NextAction>,
    pub headers: Vec<(&'static str, String)>,
}

impl Refusal {
    pub fn new(code: &'static Code) -> Self {
        Self { code, message: Cow::Borrowed(code.sentence), next: None, headers: Vec::new() }
    }

    pub fn because(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = message.into();
        self
    }

    pub fn next(mut self, action: NextAction) -> Self {
        self.next = Some(action);
        self
    }

    /// With the action of this step, if the step alone determines it.
    pub fn step(mut self, step: NextStep) -> Self {
        self.next = step.action(false);
        self
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Lists all problems, at most [`Problems::MAX`]; the message is the first one.
    pub fn problems(code: &'static Code, mut problems: Vec<Problem>) -> Self {
        problems.truncate(Problems::MAX);
        // People read the message; programs read the list.
        let message = match problems.first() {
            Some(Problem { at, rule }) if at.is_empty() => Cow::Owned(format!("The body {rule}.")),
            Some(Problem { at, rule }) => Cow::Owned(format!("{at} {rule}.")),
            None => Cow::Borrowed(code.sentence),
        };
        Self::new(code).because(message).next(NextAction::CorrectRequest { problems })
    }

    /// `has_key`: the request has an idempotency key.
    pub fn next_action(&self, has_key: bool) -> Option<NextAction> {
        self.next.clone().or_else(|| self.code.next.action(has_key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code;

    /// The `type` of an action in JSON.
    fn name(action: &NextAction) -> String {
        let json = serde_json::to_value(action).expect("JSON");
        json["type"].as_str().expect("a type").to_owned()
    }

    #[test]
    fn only_a_command_with_a_key_is_repeated_where_its_effect_is_unknown() {
        let other = NextStep::OtherActor("edits:approve");
        for (step, with_key, without, seconds) in [
            (NextStep::Wait(5), "wait", "wait", Some(5)),
            (NextStep::Retry(5), "retry_same_key", "wait", Some(5)),
            (NextStep::RetryKeyed(5), "retry_same_key", "contact_support", None),
            (NextStep::NewKey, "new_key", "new_key", None),
            (other, "other_actor", "other_actor", None),
        ] {
            let names = [true, false].map(|has_key| name(&step.action(has_key).expect("an action")));
            assert_eq!((names, step.wait_seconds()), ([with_key.to_owned(), without.to_owned()], seconds));
        }
        assert_eq!(NextStep::Poll("/v1/exports/{id}", 5).wait_seconds(), Some(5));
    }

    #[test]
    fn the_document_lists_every_action_that_a_code_gives() {
        for code in code::ALL {
            for action in [true, false].into_iter().filter_map(|has_key| code.refusal().next_action(has_key)) {
                assert!(code.next.types().contains(&&*name(&action)), "{}: {action:?}", code.name);
            }
            assert!(!code.next.types().is_empty(), "{}", code.name);
        }
        let support = code::RATE_LIMITED.refusal().next(NextAction::ContactSupport);
        assert_eq!(support.next_action(false), Some(NextAction::ContactSupport), "its own action goes first");
    }

    #[test]
    fn the_message_is_the_first_problem() {
        let problem = |at: &str| Problem { at: at.to_owned(), rule: "must be short".to_owned() };
        for (problems, message) in [
            (vec![problem(""), problem("/b")], "The body must be short."),
            (vec![problem("/a"), problem("/b")], "/a must be short."),
            (Vec::new(), code::INVALID_FIELD.sentence),
        ] {
            assert_eq!(Refusal::problems(&code::INVALID_FIELD, problems).message, message);
        }
    }

    #[test]
    fn no_refusal_lists_more_than_fifty_problems() {
        let problem = Problem { at: "/a".to_owned(), rule: "must be short".to_owned() };
        let refusal = Refusal::problems(&code::INVALID_FIELD, vec![problem; 60]);
        let Some(NextAction::CorrectRequest { problems }) = refusal.next else { panic!("a list") };
        assert_eq!(problems.len(), Problems::MAX);
    }
}
