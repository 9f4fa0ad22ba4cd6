//! Query strings, read strictly: a misspelled filter must not silently return more than was asked for.

use std::{borrow::Cow, mem};

use percent_encoding::percent_decode_str;
use shared_model::{Error, Problem, Problems, Refusal, code, limits, problem::shown_name, words};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::{Contract, QueryParameter},
    next_action,
};

// No operation takes this many parameters. So one of them is unknown or repeated, and the query is refused.
const MAX_PAIRS: usize = 200;

/// Query parameters; an unknown name, or one that is sent twice, is refused.
pub struct Query<T>(pub T);

impl<T: FromQuery> Argument for Query<T> {
    fn describe(contract: &mut Contract) {
        contract.takes_query(T::describe());
        if T::IS_LIST {
            contract.is_list = true;
            contract.refuses(&code::INVALID_CURSOR);
        }
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        read(request.query_string(), request.contract).map(Self).map_err(Error::from)
    }
}

pub trait FromQuery: Sized {
    const IS_LIST: bool = false;

    /// All its parameters.
    fn describe() -> Vec<QueryParameter>;
    /// `None` after a problem, which is noted in `params`.
    fn from_query(params: &mut Params<'_>) -> Option<Self>;
}

pub struct Params<'q> {
    pairs: Vec<(Cow<'q, str>, Cow<'q, str>)>,
    malformed: Problems,
    invalid: Vec<Problem>,
}

impl<'q> Params<'q> {
    fn parse(query: &'q str) -> Self {
        let malformed = Problems::default();
        // Otherwise invalid UTF-8 would be read as replacement characters.
        if percent_decode_str(query).decode_utf8().is_err() {
            malformed.note("query", "must be UTF-8, percent-encoded");
        }
        let pairs = url::form_urlencoded::parse(query.as_bytes()).take(MAX_PAIRS).collect();
        Self { pairs, malformed, invalid: Vec::new() }
    }
}

impl Params<'_> {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_ref())
    }

    /// ASCII digits only, within `min..=max`. `Some(None)` when absent, `None` after a problem.
    pub fn integer(&mut self, name: &'static str, min: i64, max: i64) -> Option<Option<i64>> {
        let Some(text) = self.text(name) else { return Some(None) };
        // i64's own parser also accepts signs.
        let is_plain = text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<i64>() {
            Ok(number) if is_plain && (min..=max).contains(&number) => Some(Some(number)),
            _ => self.refuse(name, next_action::whole_number(min, max)),
        }
    }

    /// `Some(None)` when absent, `None` after a problem.
    pub fn one_of<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Option<Option<T>> {
        let Some(text) = self.text(name) else { return Some(None) };
        match choices.iter().find(|(known, _)| *known == text) {
            Some((_, choice)) => Some(Some(*choice)),
            None => {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                self.refuse(name, format!("must be one of: {}", names.join(", ")))
            }
        }
    }

    pub fn limit(&mut self) -> Option<i64> {
        Some(self.integer("limit", 1, limits::LIST_MAX)?.unwrap_or(limits::LIST_DEFAULT))
    }

    pub fn refuse<T>(&mut self, name: &str, rule: impl Into<String>) -> Option<T> {
        self.invalid.push(Problem { at: name.to_owned(), rule: rule.into() });
        None
    }
}

impl Params<'_> {
    fn refuse_unknown(&self, known: &[QueryParameter]) {
        let mut is_sent = vec![false; known.len()];
        for (name, _) in &self.pairs {
            match known.iter().position(|parameter| parameter.name == name) {
                None => {
                    let names: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
                    let rule = format!("is not a parameter of this operation, which takes {}", words::join_and(&names));
                    self.malformed.note(shown_name(name), rule);
                }
                Some(at) if mem::replace(&mut is_sent[at], true) => self.malformed.note(&**name, "must be sent once"),
                Some(_) => {}
            }
        }
    }
}

/// 400 for any parameter of an operation that takes none: a client must not think that an unread `dry_run` works.
pub fn refuse_unless_taken(query: &str, contract: &Contract) -> Result<(), Refusal> {
    if query.is_empty() || !contract.query.is_empty() {
        return Ok(());
    }
    let params = Params::parse(query);
    params.refuse_unknown(&[]);
    let malformed = params.malformed.into_vec();
    if malformed.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_REQUEST, malformed)) }
}

/// Unknown, repeated and missing parameters are 400: the query is malformed. A wrong value has the surface's code for
/// invalid fields.
fn read<T: FromQuery>(query: &str, contract: &Contract) -> Result<T, Refusal> {
    let mut params = Params::parse(query);
    // What `T` describes; describing it again would cost more than the rest.
    let known = &contract.query;
    params.refuse_unknown(known);
    for parameter in known.iter().filter(|parameter| parameter.required) {
        if params.text(parameter.name).is_none() {
            params.malformed.note(parameter.name, "must be sent");
        }
    }
    let read = T::from_query(&mut params);
    let Params { malformed, invalid, .. } = params;
    let mut problems = malformed.into_vec();
    if !problems.is_empty() {
        // One answer with everything that is wrong; the status is that of the malformed part.
        problems.extend(invalid);
        return Err(Refusal::problems(&code::INVALID_REQUEST, problems));
    }
    match read {
        Some(read) if invalid.is_empty() => Ok(read),
        _ => Err(Refusal::problems(contract.surface.invalid_field, invalid)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_of_many_mistakes_is_refused_with_the_first_of_them() {
        let known = [QueryParameter::text("q", false, "")];
        let long = format!("{}=", "x".repeat(60_000));
        for query in ["x&".repeat(30_000), "q=1&".repeat(16_000), long] {
            let params = Params::parse(&query);
            params.refuse_unknown(&known);
            let problems = params.malformed.into_vec();
            assert!((1..=Problems::MAX).contains(&problems.len()), "{}", problems.len());
            let bytes: usize = problems.iter().map(|problem| problem.at.len() + problem.rule.len()).sum();
            assert!(bytes < 8 << 10, "{bytes} bytes");
        }
    }
}
