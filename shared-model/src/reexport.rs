//! What the expansions of this crate's macros name, so that their users need not depend on it by the same version.

pub use diesel::{
    self,
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
};
pub use serde;
pub use serde_json;
pub use utoipa;
