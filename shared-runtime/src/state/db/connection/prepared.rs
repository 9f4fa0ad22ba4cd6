//! Statements that are prepared once per connection.

use std::cell::Cell;

use diesel::{
    RunQueryDsl,
    backend::Backend,
    internal::derives::multiconnection::AstPassHelper as _,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::QueryResult,
};

/// Prepares a statement once per connection and finds it again by its text.
///
/// diesel prepares each UPDATE, upsert and `sql_query` again at every run, because it cannot know that the text stays
/// the same. Wrap only statements with a fixed text, or one of a few:
/// `prepared(diesel::update(…).set(…)).execute(conn)`.
pub fn prepared<Q>(query: Q) -> Prepared<Q> {
    Prepared(query)
}

#[derive(Clone, Copy, Debug)]
#[must_use = "a query does nothing until it is executed"]
pub struct Prepared<Q>(Q);

// `execute` caches a statement only if none of its parts calls `unsafe_to_cache_prepared`. So the parts see only the
// passes that collect their text or their values, not the pass that asks whether to cache.
impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Prepared<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let is_for_text = Cell::new(false);
        // diesel has no other way to tell the passes apart: only the text pass calls the second closure.
        let mut pass = pass.cast_database::<DB>(
            |values| values,
            |text| {
                is_for_text.set(true);
                text
            },
            |backend| backend,
            |lookup| lookup,
        );
        if is_for_text.get() || pass.bind_collector().is_some() || pass.debug_binds().is_some() {
            self.0.walk_ast(pass)
        } else {
            pass.push_sql("a statement");
            Ok(())
        }
    }
}

// Without an id the text is the key, so two different statements never share one.
impl<Q> QueryId for Prepared<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Prepared<Q> {
    type SqlType = Q::SqlType;
}

impl<Q, C> RunQueryDsl<C> for Prepared<Q> {}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use diesel::{
        Connection as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _, connection::InstrumentationEvent,
    };

    use super::prepared;
    use crate::{
        on_each,
        state::db::tests::{counters, fresh::Fresh},
    };

    #[tokio::test]
    async fn an_update_is_prepared_once() {
        let fresh = Fresh::new(1).await;
        fresh.direct(|conn| {
            diesel::insert_into(counters::table)
                .values((counters::id.eq(1), counters::value.eq(0)))
                .execute(conn)
                .expect("a row");
            let count = Arc::new(AtomicUsize::new(0));
            let seen = Arc::clone(&count);
            conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
                if matches!(event, InstrumentationEvent::CacheQuery { .. }) {
                    seen.fetch_add(1, Ordering::SeqCst);
                }
            });
            let more = |by: i64| diesel::update(counters::table.find(1)).set(counters::value.eq(counters::value + by));
            for expected in 1..4 {
                let value: i64 =
                    prepared(more(1).returning(counters::value)).get_result(conn).expect("an update that returns");
                assert_eq!(value, expected);
            }
            assert_eq!(count.load(Ordering::SeqCst), 1, "where rows are read");
            for _ in 0..3 {
                assert_eq!(prepared(more(10)).execute(conn).expect("an update"), 1);
            }
            assert_eq!(count.load(Ordering::SeqCst), 2, "where rows are counted");
            for _ in 0..3 {
                let row = (counters::id.eq(1), counters::value.eq(0));
                let upsert = diesel::insert_into(counters::table)
                    .values(row)
                    .on_conflict(counters::id)
                    .do_update()
                    .set(counters::value.eq(counters::value + 100));
                on_each!(conn, |c| prepared(upsert).execute(c)).expect("an upsert");
            }
            assert_eq!(count.load(Ordering::SeqCst), 3, "on a connection to one database");
            assert_eq!(counters::table.select(counters::value).first(conn), Ok(333));
        });
    }
}
