//! The processes on which a history runs.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};

use super::{
    command::{Command, Way},
    step::Trouble,
    symbols::{Bound, fill, fill_json},
    worlds::Answer,
};
use crate::{
    caller::Caller,
    request::Request,
    response::Response,
    servers::{Redis, Servers},
    service_process::ServiceProcess,
};

/// The callers at one process, by their names in the model.
pub type Cast = fn(&ServiceProcess) -> BTreeMap<&'static str, Caller>;

/// How long a command that another request is said to carry out is sent again.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

/// One process on SQLite; two on PostgreSQL with a Redis of their own.
pub struct Ground {
    processes: Vec<ServiceProcess>,
    casts: Vec<BTreeMap<&'static str, Caller>>,
    redis: Option<Redis>,
    environment: &'static [(&'static str, &'static str)],
    cast: Cast,
    pub kills: usize,
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
        let redis = crate::servers::of_this_run().map(|servers| (servers, Redis::start()));
        let servers = redis.as_ref().map(|(servers, redis)| Servers {
            redis: redis.url.clone(),
            is_shared: true,
            ..servers.clone()
        });
        let first = ServiceProcess::on(program, service, servers, environment).await;
        let mut processes = vec![first];
        if redis.is_some() {
            let second = processes[0].beside(environment).await;
            processes.push(second);
        }
        let casts = processes.iter().map(cast).collect();
        Self { processes, casts, redis: redis.map(|(_, redis)| redis), environment, cast, kills: 0 }
    }

    pub fn process(&self) -> &ServiceProcess {
        &self.processes[0]
    }

    /// Sends a command, again while another request with its key still runs.
    pub async fn send<M>(&mut self, command: &Command<M>, bound: &Bound, at: u64, trouble: Trouble) -> Sent {
        let at = usize::try_from(at).unwrap_or_default() % self.processes.len();
        if command.way == Way::Operator {
            let words: Option<Vec<String>> = command.words.iter().map(|word| fill(word, bound)).collect();
            return words.map_or(Sent::Unknown, |words| Sent::Answered(self.run(at, &words)));
        }
        let Some(request) = request(&self.casts[at][command.who], command, bound) else { return Sent::Unknown };
        let given_up = tokio::time::Instant::now() + PATIENCE;
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
            };
            let response = match (answer, trouble) {
                (Some(Ok(response)), _) => response,
                (None, _) | (Some(Err(_)), Trouble::Kill(_)) => return Sent::Lost,
                (Some(Err(error)), _) => return Sent::Broken(format!("no answer: {error}")),
            };
            let answer = answer_of(command.way, &response);
            // Another request with this key still runs, or did until its process was killed.
            let waits = answer.code() == Some("idempotency_in_progress") && trouble == Trouble::None;
            if !waits || tokio::time::Instant::now() >= given_up {
                return Sent::Answered(answer);
            }
            tokio::time::sleep(PAUSE).await;
        }
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

    async fn kill(&mut self, at: usize) {
        self.processes[at].kill();
        self.processes[at].start(self.environment).await;
        self.kills += 1;
        self.casts[at] = (self.cast)(&self.processes[at]);
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

fn json_or_text(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()))
}

/// The answer of the operation, also where a tool has called it.
fn answer_of(way: Way, response: &Response) -> Answer {
    if way == Way::Http || response.status != 200 {
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
