//! Path parameters.

use std::str::FromStr;

use shared_model::{Error, code};
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
}

impl<A: FromStr + PartialSchema> FromPath for (A,) {
    fn describe() -> Vec<RefOr<Schema>> {
        vec![A::schema()]
    }

    fn from_path(values: &[&str]) -> Option<Self> {
        let [a] = values else { return None };
        Some((a.parse().ok()?,))
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
}

impl<T: FromPath> Argument for Path<T> {
    fn describe(contract: &mut Contract) {
        contract.takes_path(T::describe());
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        // Not 400: a malformed id and an unknown one must look the same. Both cost no database connection.
        T::from_path(&request.path_values()).map(Self).ok_or_else(|| code::not_found().into())
    }
}
