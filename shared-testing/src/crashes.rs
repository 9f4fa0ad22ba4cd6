//! Makes each command fail in each place of its course. What was not acknowledged has happened once or not at all, and
//! a retry with the same key tells which.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    caller::Caller, database::dump, operation_fixture::OperationFixture, request::Request, response::Response,
    stage::Stage,
};

/// The places, and whether the command has happened when it fails there.
const PLACES: [(&str, bool); 4] = [("before", false), ("inside", false), ("panic", false), ("after", true)];

/// Commands whose fixture finds everything done already.
const DONE_ALREADY: [&str; 5] =
    ["enable_webhook", "rebase_edit_plan", "rebase_proposal", "reopen_comment", "replay_webhook"];

/// Runs the matrix of all commands and all places, and prints it. `seen` are the tables that note when somebody was
/// seen, whatever became of the request.
#[expect(clippy::print_stdout, reason = "a test says how much it has tried")]
pub async fn suite(stage: &Stage, owner: &Caller, fixtures: &[OperationFixture], seen: &[&str]) {
    // The failpoint makes answers of 5xx.
    stage.expects_failures();
    let url = &stage.context.settings.database_url;
    let routes = stage.routes();
    let commands: Vec<_> = routes.contracts().filter(|contract| contract.takes_key).collect();
    assert!(!commands.is_empty(), "a service with commands");
    // The fixtures have used some of this minute's requests.
    stage.clock.advance(Duration::from_secs(60));
    let (mut cells, mut silent) = (0, Vec::new());
    // In the order of the fixtures: what some of them act on expires soon.
    for fixture in fixtures.iter().filter(|fixture| commands.iter().any(|command| command.id == fixture.operation)) {
        // So that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(20));
        let key = format!("crash-{}", fixture.operation);
        let request = || fixture.by(owner).without_header("idempotency-key").key(&key);
        let mut before = dump(url, seen);
        for (place, has_happened) in PLACES {
            failing(place, &key, request()).await;
            let after = dump(url, seen);
            let changed = changed(&before, &after);
            let case = format!("{} fails {place}: {changed:?}", fixture.operation);
            assert_eq!(changed.contains(&"idempotency"), has_happened, "{case}");
            assert!(has_happened || changed.is_empty(), "{case}");
            if has_happened && changed.len() == 1 {
                silent.push(fixture.operation);
            }
            before = after;
            cells += 1;
        }
        for _ in 0..2 {
            let retried = request().await;
            assert!(matches!(retried.status, 200..300), "{}: {retried}", fixture.operation);
            // Only some envelopes say it.
            assert_ne!(retried["replayed"], false, "{}: {retried}", fixture.operation);
        }
        let changed = changed(&before, &dump(url, seen));
        assert!(changed.is_empty(), "{}: the retries changed {changed:?}", fixture.operation);
    }
    let tried = fixtures.iter().map(|fixture| fixture.operation);
    let untried: Vec<_> =
        commands.iter().map(|command| command.id).filter(|id| !tried.clone().any(|one| one == *id)).collect();
    assert!(untried.is_empty(), "commands without a fixture: {untried:?}");
    // Otherwise an effect that is lost while its record is kept would go unnoticed.
    silent.retain(|operation| !DONE_ALREADY.contains(operation));
    assert!(silent.is_empty(), "commands that changed nothing but their record: {silent:?}");
    println!("{} commands, {} places each: {cells} failures, none lost or done twice", commands.len(), PLACES.len());
}

/// Sends a request which fails in this place.
async fn failing(place: &str, key: &str, request: Request) -> Response {
    fail::cfg("command::fault", &format!("return({place} {key})")).expect("an action");
    let answer = request.await;
    fail::remove("command::fault");
    let expected = if place == "panic" { 500 } else { 503 };
    answer.status(expected)
}

/// The tables whose rows differ.
fn changed<'t>(before: &'t BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<&'t str> {
    before.iter().filter(|(table, rows)| after.get(*table) != Some(rows)).map(|(table, _)| table.as_str()).collect()
}
