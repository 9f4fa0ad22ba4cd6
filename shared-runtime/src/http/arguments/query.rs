//! Query strings, read strictly: a typo in a filter must not silently widen what it filters.

use std::borrow::Cow;

use serde_json::Value;
use shared_model::{Problem, Refusal, code, limits};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use crate::http::routes::Operation;

/// A type that reads itself from query parameters.
pub trait FromQuery: Sized {
    /// The parameters it knows; any other is refused.
    fn describe() -> Vec<QueryDoc>;
    /// The value; problems are noted in `params`, which then refuses the request.
    fn from_query(params: &mut Params<'_>) -> Option<Self>;
}

/// One query parameter in the OpenAPI document.
pub struct QueryDoc {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it means.
    pub says: &'static str,
    /// Its shape.
    pub schema: RefOr<Schema>,
}

impl QueryDoc {
    /// A text parameter.
    pub fn text(name: &'static str, required: bool, says: &'static str) -> Self {
        Self { name, required, says, schema: ObjectBuilder::new().schema_type(Type::String).into() }
    }

    /// An optional integer parameter within bounds.
    pub fn integer(name: &'static str, min: i64, max: i64, says: &'static str) -> Self {
        let schema = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(min)).maximum(Some(max)).into();
        Self { name, required: false, says, schema }
    }

    /// The usual `limit` of a list.
    pub fn limit() -> Self {
        let mut limit = Self::integer("limit", 1, limits::LIST_MAX, "Entries in the answer at most; 20 when absent.");
        limit.with_example(limits::LIST_DEFAULT);
        limit
    }

    /// The usual `cursor` of a list.
    pub fn cursor() -> Self {
        let mut cursor = Self::text("cursor", false, "The `next_cursor` of the page before.");
        cursor.with_example("AAAAAGsCv1QxNzk1MjUzNDAwIHN1Yl8wMTIzNDU2Nzg5YWI");
        cursor
    }

    /// With an example.
    pub fn with_example(&mut self, example: impl Into<Value>) {
        if let RefOr::T(Schema::Object(object)) = &mut self.schema {
            object.examples = vec![example.into()];
        }
    }
}

/// The parameters of a request while they are being read.
pub struct Params<'q> {
    pairs: Vec<(Cow<'q, str>, Cow<'q, str>)>,
    malformed: Vec<Problem>,
    out_of_bounds: Vec<Problem>,
}

impl Params<'_> {
    /// The text of a parameter, `None` when absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_ref())
    }

    /// An integer: ASCII digits only, within `min..=max`. `Some(None)` when absent, `None` when it breaks a rule.
    pub fn integer(&mut self, name: &'static str, min: i64, max: i64) -> Option<Option<i64>> {
        let Some(text) = self.text(name) else { return Some(None) };
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            self.malformed.push(problem(name, "must be a whole number in plain digits"));
            return None;
        }
        match text.parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Some(Some(number)),
            _ => self.out_of_bounds(name, format!("must be from {min} to {max}")),
        }
    }

    /// The usual `limit` of a list.
    pub fn limit(&mut self) -> Option<i64> {
        Some(self.integer("limit", 1, limits::LIST_MAX)?.unwrap_or(limits::LIST_DEFAULT))
    }

    /// Notes that a well-formed parameter breaks `rule`.
    pub fn out_of_bounds<T>(&mut self, name: &str, rule: impl Into<String>) -> Option<T> {
        self.out_of_bounds.push(problem(name, rule));
        None
    }
}

fn problem(name: &str, rule: impl Into<String>) -> Problem {
    Problem { at: name.to_owned(), rule: rule.into() }
}

/// Reads a query string. Malformed parameters are 400; those out of bounds have the surface's code for invalid fields.
pub(super) fn read<T: FromQuery>(query: &str, operation: &Operation) -> Result<T, Refusal> {
    let mut params = Params {
        pairs: url::form_urlencoded::parse(query.as_bytes()).collect(),
        malformed: Vec::new(),
        out_of_bounds: Vec::new(),
    };
    let known = T::describe();
    for (index, (name, _)) in params.pairs.iter().enumerate() {
        if !known.iter().any(|parameter| parameter.name == name) {
            params.malformed.push(problem(name, "is not a parameter of this operation"));
        } else if params.pairs[..index].iter().any(|(earlier, _)| earlier == name) {
            params.malformed.push(problem(name, "must be sent once"));
        }
    }
    for parameter in known.iter().filter(|parameter| parameter.required) {
        if params.text(parameter.name).is_none() {
            params.malformed.push(problem(parameter.name, "must be sent"));
        }
    }
    let read = T::from_query(&mut params);
    if !params.malformed.is_empty() {
        params.malformed.append(&mut params.out_of_bounds);
        return Err(Refusal::problems(&code::INVALID_REQUEST, params.malformed));
    }
    match read {
        Some(read) if params.out_of_bounds.is_empty() => Ok(read),
        _ => Err(Refusal::problems(operation.surface.invalid_field, params.out_of_bounds)),
    }
}
