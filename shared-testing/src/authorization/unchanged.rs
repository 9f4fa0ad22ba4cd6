//! Requests that must change nothing.

use std::future::IntoFuture;

use crate::{
    database::{changed, dump},
    stage::Stage,
};

/// Tables that note when somebody was seen, whatever became of the request.
const SEEN: &[&str] = &["grants"];

/// Sends a request that must change no row, and returns its answer. `what` names it.
pub(super) async fn unchanged<R: IntoFuture>(stage: &Stage, what: &str, request: R) -> R::Output {
    let url = &stage.context.settings.database_url;
    let before = dump(url, SEEN);
    let answer = request.await;
    let changed = changed(&before, &dump(url, SEEN)).join(", ");
    assert!(changed.is_empty(), "{what} has changed {changed}");
    answer
}
