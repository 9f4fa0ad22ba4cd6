//! Conditions of queries whose SQL is always the same.

/// Defines such a condition as a type; the SQL may be in several pieces.
// diesel finds a prepared statement by its type. With `sql`, each run would build the text of the statement to find it.
macro_rules! fixed_condition {
    ($(#[doc = $doc:literal])+ pub struct $name:ident = $($sql:expr),+;) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, diesel::query_builder::QueryId)]
        pub struct $name;

        impl diesel::expression::Expression for $name {
            type SqlType = diesel::sql_types::Bool;
        }

        impl<DB: diesel::backend::Backend> diesel::query_builder::QueryFragment<DB> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, DB>,
            ) -> diesel::result::QueryResult<()> {
                $(out.push_sql($sql);)+
                Ok(())
            }
        }

        impl<Source> diesel::expression::AppearsOnTable<Source> for $name {}

        impl<Columns> diesel::expression::ValidGrouping<Columns> for $name {
            type IsAggregate = diesel::expression::is_aggregate::Never;
        }
    };
}
pub(crate) use fixed_condition;
