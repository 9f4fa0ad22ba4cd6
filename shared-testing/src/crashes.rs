//! Makes each command fail in each place of its course. What was not acknowledged has happened once or not at all, and
//! a retry with the same key tells which.

use std::{collections::BTreeSet, time::Duration};

use shared_runtime::Routes;

use crate::{
    caller::Caller,
    database::{changed, dump},
    operation_fixture::OperationFixture,
    request::Request,
    response::Response,
    stage::Stage,
};

/// The places, and whether the command has happened when it fails there.
const PLACES: [(&str, bool); 4] = [("before", false), ("inside", false), ("panic", false), ("after", true)];

/// Commands whose fixture finds everything done already.
const DONE_ALREADY: [&str; 5] =
    ["enable_webhook", "rebase_edit_plan", "rebase_proposal", "reopen_comment", "replay_webhook"];

/// Operations that are not only reads and take no key, each with what tries its crashes instead of [`suite`].
const WITHOUT_KEY: [(&str, &str); 4] = [
    ("create_download_grant", "it stores nothing: a link is only signed"),
    ("publish_event", "`suite_without_key`: the hash of an event takes the place of a key"),
    ("put_chunk", "cloud-svc: a_chunk_that_was_written_but_not_counted_is_sent_again"),
    ("send_mcp_message", "its tools call commands, with keys"),
];

/// Runs the matrix of all commands and all places, and prints it. `seen` are the tables that note when somebody was
/// seen, whatever became of the request.
#[expect(clippy::print_stdout, reason = "a test says how much it has tried")]
pub async fn suite(stage: &Stage, owner: &Caller, fixtures: &[OperationFixture], seen: &[&str]) {
    // The failpoint makes answers of 5xx.
    stage.expects_failures();
    let routes = stage.routes();
    check_without_key(&routes);
    let commands: Vec<_> = routes.contracts().filter(|contract| contract.takes_key).collect();
    assert!(!commands.is_empty(), "a service with commands");
    // The fixtures have used some of this minute's requests.
    stage.clock.advance(Duration::from_secs(60));
    let (mut cells, mut silent) = (0, Vec::new());
    // In the order of the fixtures: what some of them act on expires soon.
    for fixture in fixtures.iter().filter(|fixture| commands.iter().any(|command| command.id == fixture.operation)) {
        // So that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(20));
        let operation = fixture.operation;
        let key = format!("crash-{operation}");
        let request = || fixture.by(owner).without_header("idempotency-key").key(&key);
        let course = Course { operation, key: &key, record: "idempotency", panicked: 500 };
        let retried = |retried: Response| {
            assert!(matches!(retried.status, 200..300), "{operation}: {retried}");
            // Only some envelopes say it.
            assert_ne!(retried["replayed"], false, "{operation}: {retried}");
        };
        if course.fails_everywhere(stage, request, seen, retried).await {
            silent.push(operation);
        }
        cells += PLACES.len();
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

/// A command without a key.
pub struct Unkeyed<'u> {
    pub operation: &'u str,
    /// What its fault takes for the key.
    pub key: &'u str,
    /// The table that has a row for each such command that has happened.
    pub record: &'u str,
    /// Refuses the same command once it has happened.
    pub done: &'u str,
}

/// The same matrix for one command that another text of its own identifies.
pub async fn suite_without_key(stage: &Stage, command: Unkeyed<'_>, request: impl Fn() -> Request) {
    stage.expects_failures();
    check_without_key(&stage.routes());
    let Unkeyed { operation, key, record, done } = command;
    // Commands that share a transaction are answered alike, whatever has failed.
    let course = Course { operation, key, record, panicked: 503 };
    let is_silent = course.fails_everywhere(stage, request, &[], |retried| drop(retried.refused(409, done))).await;
    assert!(!is_silent, "{operation} changed nothing but {record}");
}

/// Fails if an operation that may write would be in no matrix.
fn check_without_key(routes: &Routes) {
    let known: BTreeSet<&str> = WITHOUT_KEY.iter().map(|(operation, _)| *operation).collect();
    let writing = routes.contracts().filter(|contract| contract.method != "GET" && !contract.takes_key);
    let unknown: Vec<_> = writing.map(|contract| contract.id).filter(|id| !known.contains(id)).collect();
    assert!(unknown.is_empty(), "no test says what a crash leaves of {unknown:?}");
}

/// How to tell what has become of a command.
struct Course<'c> {
    operation: &'c str,
    key: &'c str,
    /// The table that has a row for each command that has happened.
    record: &'c str,
    /// The status after a panic.
    panicked: u16,
}

impl Course<'_> {
    /// Makes the command fail in each place, and sends it twice more. Whether it has changed nothing but its record.
    async fn fails_everywhere(
        &self,
        stage: &Stage,
        request: impl Fn() -> Request,
        seen: &[&str],
        retried: impl Fn(Response),
    ) -> bool {
        let (url, operation) = (&stage.context.settings.database_url, self.operation);
        let (mut before, mut is_silent) = (dump(url, seen), false);
        for (place, has_happened) in PLACES {
            self.fails(place, request()).await;
            let after = dump(url, seen);
            let changed = changed(&before, &after);
            let case = format!("{operation} fails {place}: {changed:?}");
            assert_eq!(changed.contains(&self.record), has_happened, "{case}");
            assert!(has_happened || changed.is_empty(), "{case}");
            is_silent |= has_happened && changed.len() == 1;
            before = after;
        }
        for _ in 0..2 {
            retried(request().await);
        }
        let changed = changed(&before, &dump(url, seen));
        assert!(changed.is_empty(), "{operation}: the retries changed {changed:?}");
        is_silent
    }

    /// Sends a request which fails in this place.
    async fn fails(&self, place: &str, request: Request) {
        fail::cfg("command::fault", &format!("return({place} {})", self.key)).expect("an action");
        let answer = request.await;
        fail::remove("command::fault");
        answer.status(if place == "panic" { self.panicked } else { 503 });
    }
}
