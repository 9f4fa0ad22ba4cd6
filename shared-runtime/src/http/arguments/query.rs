//! Query strings, read strictly: a misspelt filter must not silently return more than was asked for.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use shared_model::{Error, Problem, Refusal, code, limits, words};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::{Contract, QueryParameter},
    next_action,
};

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
    malformed: Vec<Problem>,
    invalid: Vec<Problem>,
}

impl<'q> Params<'q> {
    fn parse(query: &'q str) -> Self {
        let mut malformed = Vec::new();
        // Otherwise invalid UTF-8 would be read as replacement characters.
        if percent_decode_str(query).decode_utf8().is_err() {
            malformed.push(problem("query", "must be UTF-8, percent-encoded"));
        }
        Self { pairs: url::form_urlencoded::parse(query.as_bytes()).collect(), malformed, invalid: Vec::new() }
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
        self.invalid.push(problem(name, rule));
        None
    }
}

impl Params<'_> {
    fn refuse_unknown(&mut self, known: &[QueryParameter]) {
        for (index, (name, _)) in self.pairs.iter().enumerate() {
            if !known.iter().any(|parameter| parameter.name == name) {
                let names: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
                let rule = format!("is not a parameter of this operation, which takes {}", words::join_and(&names));
                self.malformed.push(problem(name, rule));
            } else if self.pairs[..index].iter().any(|(earlier, _)| earlier == name) {
                self.malformed.push(problem(name, "must be sent once"));
            }
        }
    }
}

/// 400 for any parameter of an operation that takes none: a `dry_run` that nobody reads must not be taken for one.
pub fn refuse_unless_taken(query: &str, contract: &Contract) -> Result<(), Refusal> {
    if query.is_empty() || !contract.query.is_empty() {
        return Ok(());
    }
    let mut params = Params::parse(query);
    params.refuse_unknown(&[]);
    if params.malformed.is_empty() { Ok(()) } else { Err(Refusal::problems(&code::INVALID_REQUEST, params.malformed)) }
}

fn problem(name: &str, rule: impl Into<String>) -> Problem {
    Problem { at: name.to_owned(), rule: rule.into() }
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
            params.malformed.push(problem(parameter.name, "must be sent"));
        }
    }
    let read = T::from_query(&mut params);
    if !params.malformed.is_empty() {
        // One answer with everything that is wrong; the status is that of the malformed part.
        params.malformed.append(&mut params.invalid);
        return Err(Refusal::problems(&code::INVALID_REQUEST, params.malformed));
    }
    match read {
        Some(read) if params.invalid.is_empty() => Ok(read),
        _ => Err(Refusal::problems(contract.surface.invalid_field, params.invalid)),
    }
}
