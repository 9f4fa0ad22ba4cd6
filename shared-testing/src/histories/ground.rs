//! The processes on which a history runs.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use shared_model::code;
use tokio::time::Instant;

use super::{
    command::{Command, Form, Way},
    step::Trouble,
    symbols::{Bound, fill, fill_json},
    worlds::{Answer, OF_A_PAGE},
};
use crate::{
    browser::{Browser, FormFile},
    caller::Caller,
    html,
    postgres_pair::PostgresPair,
    request::Request,
    response::Response,
    servers::{Redis, Servers},
    service_process::ServiceProcess,
    variable::variable,
};

/// The callers at one process, by their names in the model.
pub type Cast = fn(&ServiceProcess) -> BTreeMap<&'static str, Caller>;

/// How long a command that another request is said to carry out is sent again.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

/// One process on SQLite; two on PostgreSQL with a Redis of their own, some of them with a standby of PostgreSQL.
pub struct Ground {
    processes: Vec<ServiceProcess>,
    casts: Vec<BTreeMap<&'static str, Caller>>,
    /// Sessions at each process, with the hidden value of their forms.
    sessions: Vec<BTreeMap<&'static str, (Browser, String)>>,
    redis: Option<Redis>,
    environment: &'static [(&'static str, &'static str)],
    cast: Cast,
    pub kills: usize,
    pub failovers: usize,
    // Last, because the processes leave their database when they end.
    pair: Option<PostgresPair>,
}

/// What became of a command.
pub enum Sent {
    Answered(Answer),
    /// The client does not know whether it has happened.
    Lost,
    /// Nothing was sent: a symbol in it has no value.
    Unknown,
    /// The connection failed for no reason that the history knows.
    Broken(String),
}

impl Ground {
    pub async fn new(
        program: &str,
        service: shared_runtime::service::Service,
        environment: &'static [(&'static str, &'static str)],
        cast: Cast,
    ) -> Self {
        let pair = (variable("HISTORY_FAILOVERS", 0) == 1).then(PostgresPair::start);
        Self::on(pair, program, service, environment, cast).await
    }

    /// On PostgreSQL, on this pair of servers if there is one.
    pub async fn on(
        pair: Option<PostgresPair>,
        program: &str,
        service: shared_runtime::service::Service,
        environment: &'static [(&'static str, &'static str)],
        cast: Cast,
    ) -> Self {
        let redis = crate::servers::of_this_run().map(|servers| (servers, Redis::start()));
        assert!(pair.is_none() || redis.is_some(), "failovers need TEST_POSTGRES_URL and TEST_REDIS_URL");
        let servers = redis.as_ref().map(|(servers, redis)| {
            let servers = pair.as_ref().map_or_else(|| servers.clone(), |pair| pair.instead_of(servers.clone()));
            Servers { redis: redis.url.clone(), is_shared: true, ..servers }
        });
        let first = ServiceProcess::on(program, service, servers, environment).await;
        let mut processes = vec![first];
        if redis.is_some() {
            let second = processes[0].beside(environment).await;
            processes.push(second);
        }
        let casts = processes.iter().map(cast).collect();
        let sessions = vec![BTreeMap::new(); processes.len()];
        Self {
            processes,
            casts,
            sessions,
            redis: redis.map(|(_, redis)| redis),
            environment,
            cast,
            kills: 0,
            failovers: 0,
            pair,
        }
    }

    pub fn process(&self) -> &ServiceProcess {
        &self.processes[0]
    }

    /// Whether PostgreSQL can fail over, and has not done so twice: to the standby, and to the standby of that one.
    pub fn owes_failover(&self) -> bool {
        self.pair.is_some() && self.failovers < 2
    }

    /// Sends a command, again while another request with its key still runs.
    pub async fn send<M>(&mut self, command: &Command<M>, bound: &Bound, at: u64, trouble: Trouble) -> Sent {
        let at = usize::try_from(at).unwrap_or_default() % self.processes.len();
        if command.way == Way::Operator {
            let words: Option<Vec<String>> = command.words.iter().map(|word| fill(word, bound)).collect();
            return words.map_or(Sent::Unknown, |words| Sent::Answered(self.run(at, &words)));
        }
        let request = match command.way {
            Way::Page => form(self.session(at, command.who).await, command, bound),
            _ => request(&self.casts[at][command.who], command, bound),
        };
        let Some(request) = request else { return Sent::Unknown };
        let given_up = Instant::now() + PATIENCE;
        let trouble = match trouble {
            Trouble::FailOver(millis) if self.pair.is_none() => Trouble::Kill(millis),
            // Cut connections come early, so that a short history has failovers, too.
            Trouble::Cut(millis) if self.owes_failover() => Trouble::FailOver(millis),
            trouble => trouble,
        };
        if trouble == Trouble::Flush
            && let Some(redis) = &self.redis
        {
            redis.flush_all();
        }
        loop {
            let answer = match trouble {
                Trouble::None | Trouble::Flush => Some(request.clone().send().await),
                Trouble::Cut(millis) => {
                    // Most answers come in time, and are lost on the way.
                    drop(tokio::time::timeout(Duration::from_millis(millis), request.clone().send()).await);
                    None
                }
                Trouble::Kill(millis) => {
                    let sent = tokio::time::timeout(Duration::from_millis(millis), request.clone().send()).await;
                    self.kill(at).await;
                    sent.ok()
                }
                Trouble::FailOver(millis) => {
                    let pause = Duration::from_millis(millis);
                    Some(tokio::join!(request.clone().send(), self.fail_over(pause)).0)
                }
            };
            let response = match (answer, trouble) {
                (Some(Ok(response)), _) => response,
                (None, _) | (Some(Err(_)), Trouble::Kill(_)) => return Sent::Lost,
                (Some(Err(error)), _) => return Sent::Broken(format!("no answer: {error}")),
            };
            let answer = answer_of(command, &response);
            // It says that nobody knows what has become of the command.
            if matches!(trouble, Trouble::FailOver(_)) && answer.code() == Some(code::TEMPORARILY_UNAVAILABLE.name) {
                return Sent::Lost;
            }
            // Another request with this key still runs, or did until its process was killed.
            let waits = answer.code() == Some(code::IDEMPOTENCY_IN_PROGRESS.name) && trouble == Trouble::None;
            if !waits || Instant::now() >= given_up {
                return Sent::Answered(answer);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The session of a person, which begins with the first form.
    async fn session(&mut self, at: usize, who: &'static str) -> &(Browser, String) {
        if !self.sessions[at].contains_key(who) {
            let browser = self.processes[at].browser(&self.casts[at][who]);
            // Every page has the form that ends the session.
            let page = browser.get("/session").await.body();
            let csrf = html::hidden(&page, "/sign-out", "csrf");
            self.sessions[at].insert(who, (browser, csrf));
        }
        &self.sessions[at][who]
    }

    /// What a command of the service's program prints; the code of all its refusals is `refused`.
    fn run(&self, at: usize, words: &[String]) -> Answer {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = self.processes[at].command(&words);
        let output = command.envs(self.environment.iter().copied()).output().expect("the command runs");
        if output.status.success() {
            return Answer { status: 200, body: json_or_text(&output.stdout) };
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Answer { status: 400, body: json!({"error": {"code": "refused", "message": message}}) }
    }

    /// Another server of PostgreSQL becomes the primary. Returns when all processes are ready again.
    async fn fail_over(&mut self, pause: Duration) {
        let Some(mut pair) = self.pair.take() else { return };
        tokio::time::sleep(pause).await;
        let failing_over = tokio::task::spawn_blocking(move || {
            pair.fail_over();
            pair
        });
        self.pair = Some(failing_over.await.expect("the failover works"));
        self.failovers += 1;
        let given_up = Instant::now() + PATIENCE;
        for process in &self.processes {
            while process.ready().await != 200 {
                assert!(Instant::now() < given_up, "a process is not ready {PATIENCE:?} after a failover");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    async fn kill(&mut self, at: usize) {
        self.processes[at].kill();
        self.processes[at].start(self.environment).await;
        self.kills += 1;
        self.casts[at] = (self.cast)(&self.processes[at]);
        self.sessions[at].clear();
    }
}

fn request<M>(caller: &Caller, command: &Command<M>, bound: &Bound) -> Option<Request> {
    if command.way == Way::Mcp {
        let request = caller
            .post("/mcp?structured=true")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-06-18");
        return Some(request.json(fill_json(&command.message()?, bound)?));
    }
    let mut request = caller.request(command.method, fill(&command.path, bound)?);
    if let Some(key) = &command.key {
        request = request.key(key);
    }
    for (name, value) in &command.headers {
        request = request.header(name, fill(value, bound)?);
    }
    Some(match (&command.body, &command.bytes) {
        (Some(body), _) => request.json(fill_json(body, bound)?),
        (None, Some(bytes)) => request.body("application/octet-stream", bytes.clone()),
        (None, None) => request,
    })
}

fn form<M>((browser, csrf): &(Browser, String), command: &Command<M>, bound: &Bound) -> Option<Request> {
    let Form { path, fields, file } = command.form.as_ref()?;
    let mut filled = vec![("csrf", csrf.clone())];
    filled.extend(command.key.clone().map(|key| ("key", key)));
    for (name, value) in fields {
        filled.push((name, fill(value, bound)?));
    }
    let fields: Vec<(&str, &str)> = filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let path = fill(path, bound)?;
    Some(match (file, &command.bytes) {
        (Some(field), Some(bytes)) => {
            let file = FormFile { field, name: "part", media_type: "application/octet-stream", bytes };
            browser.post_file(path, &fields, file)
        }
        _ => browser.post(path, &fields),
    })
}

fn json_or_text(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()))
}

/// The answer of the operation, also where a tool has called it.
fn answer_of<M>(command: &Command<M>, response: &Response) -> Answer {
    if command.way == Way::Page {
        return answer_of_page(response);
    }
    if command.is_binary && response.status == 200 {
        return Answer { status: 200, body: json!(hex::encode(response.bytes())) };
    }
    if command.way == Way::Http || response.status != 200 {
        return Answer { status: response.status, body: json_or_text(response.bytes()) };
    }
    let result = &response["result"];
    let structured = &result["structuredContent"];
    let body = structured.get("untrusted").unwrap_or(structured).clone();
    match result["isError"] == true {
        // A tool does not tell the status, which follows from the code.
        true => Answer { status: 400, body },
        false if body.is_null() => Answer { status: 500, body: json_or_text(response.bytes()) },
        false => Answer { status: 200, body },
    }
}

fn answer_of_page(response: &Response) -> Answer {
    let code = match response.status {
        // What the script of a page asks for is JSON; a person gets another page.
        ..400 => return Answer { status: 200, body: serde_json::from_slice(response.bytes()).unwrap_or_default() },
        503 => code::TEMPORARILY_UNAVAILABLE.name,
        409 if response.body().contains(code::IDEMPOTENCY_IN_PROGRESS.sentence) => code::IDEMPOTENCY_IN_PROGRESS.name,
        400..500 => OF_A_PAGE,
        _ => "failed",
    };
    Answer { status: response.status, body: json!({"error": {"code": code}, "status": response.status}) }
}
