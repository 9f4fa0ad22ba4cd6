//! Path parameters.

use std::str::FromStr;

use shared_model::{Error, NextAction, Problem, Refusal, code};
use utoipa::{
    PartialSchema,
    openapi::{RefOr, Schema},
};

use crate::http::{
    argument::{AdmittedRequest, Argument},
    contract::Contract,
};

/// Path parameters as a `T`. Text that does not parse names nothing: 404.
pub struct Path<T>(pub T);

/// Types of path parameters, in the order of the template.
pub trait FromPath: Sized {
    fn describe() -> Vec<RefOr<Schema>>;
    fn from_path(values: &[&str]) -> Option<Self>;
    /// Whether each value parses.
    fn readable(values: &[&str]) -> Vec<bool>;
}

impl<A: FromStr + PartialSchema> FromPath for (A,) {
    fn describe() -> Vec<RefOr<Schema>> {
        vec![A::schema()]
    }

    fn from_path(values: &[&str]) -> Option<Self> {
        let [a] = values else { return None };
        Some((a.parse().ok()?,))
    }

    fn readable(values: &[&str]) -> Vec<bool> {
        values.iter().map(|value| value.parse::<A>().is_ok()).collect()
    }
}

impl<A: FromStr + PartialSchema, B: FromStr + PartialSchema> FromPath for (A, B) {
    fn describe() -> Vec<RefOr<Schema>> {
        vec![A::schema(), B::schema()]
    }

    fn from_path(values: &[&str]) -> Option<Self> {
        let [a, b] = values else { return None };
        Some((a.parse().ok()?, b.parse().ok()?))
    }

    fn readable(values: &[&str]) -> Vec<bool> {
        let [a, b] = values else { return Vec::new() };
        vec![a.parse::<A>().is_ok(), b.parse::<B>().is_ok()]
    }
}

impl<T: FromPath> Argument for Path<T> {
    fn describe(contract: &mut Contract) {
        contract.takes_path(T::describe());
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        // Not 400: a malformed id names nothing, like an unknown one. It costs no database connection.
        let values = request.path_values();
        T::from_path(&values).map(Self).ok_or_else(|| names_nothing::<T>(request.contract, &values).into())
    }
}

/// 404. It names each number that does not parse. It never names an id: that would tell what exists.
fn names_nothing<T: FromPath>(contract: &Contract, values: &[&str]) -> Refusal {
    let parameters = contract.path_names().zip(&contract.path_parameters).zip(T::readable(values));
    let wrong_number = |((name, schema), is_readable): ((&str, &RefOr<Schema>), bool)| {
        let schema = serde_json::to_value(schema).ok()?;
        let rule = format!("must be a whole number from {}", schema["minimum"]);
        (!is_readable && schema["type"] == "integer").then(|| Problem { at: name.to_owned(), rule })
    };
    let problems: Vec<_> = parameters.filter_map(wrong_number).collect();
    let refusal = code::not_found();
    if problems.is_empty() { refusal } else { refusal.next(NextAction::CorrectRequest { problems }) }
}
