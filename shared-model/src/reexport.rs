//! Names used by the expansions of this crate's macros, so that their users need not depend on the same versions.

#[cfg(feature = "diesel")]
pub use diesel::{
    self,
    backend::Backend,
    deserialize::{self, FromSql, Queryable},
    expression::AsExpression,
    internal::derives::as_expression::Bound,
    serialize::{self, Output, ToSql},
};
pub use serde;
pub use serde_json;
pub use utoipa;
