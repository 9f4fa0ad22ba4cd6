//! Statements that are prepared once for each connection.

use diesel::{
    RunQueryDsl,
    backend::Backend,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::QueryResult,
};

/// A statement that is prepared once for each connection and found again by its text.
///
/// diesel prepares every UPDATE, every upsert and every `sql_query` anew, because the text of some of them varies
/// without end; that costs a good part of such a statement's time. Wrap those whose text is always the same (or one of a
/// few): `prepared(diesel::update(…).set(…)).execute(conn)`.
pub fn prepared<Q>(query: Q) -> Prepared<Q> {
    Prepared(query)
}

/// See [`prepared`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a query does nothing until it is executed"]
pub struct Prepared<Q>(Q);

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Prepared<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

/// No id: the text is the key, so that two statements are never taken for one.
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
    use crate::state::db::tests::{counters, fresh::Fresh};

    #[tokio::test]
    async fn an_update_is_prepared_once() {
        let fresh = Fresh::new(1).await;
        fresh.direct(|conn| {
            let count = Arc::new(AtomicUsize::new(0));
            let seen = Arc::clone(&count);
            conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
                if matches!(event, InstrumentationEvent::CacheQuery { .. }) {
                    seen.fetch_add(1, Ordering::SeqCst);
                }
            });
            diesel::insert_into(counters::table)
                .values((counters::id.eq(1), counters::value.eq(0)))
                .execute(conn)
                .expect("a row");
            count.store(0, Ordering::SeqCst);
            for expected in 1..4 {
                let add = diesel::update(counters::table.find(1)).set(counters::value.eq(counters::value + 1));
                let value: i64 = prepared(add.returning(counters::value)).get_result(conn).expect("an update");
                assert_eq!(value, expected);
            }
            assert_eq!(count.load(Ordering::SeqCst), 1);
        });
    }
}
