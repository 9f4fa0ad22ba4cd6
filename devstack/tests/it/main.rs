//! The local stack as people start it: its process, its banner, its files, its end.

mod banner;
mod containers;
mod documents;
mod env_example;
mod examples;
mod folder;
mod issuer;
mod lifecycle;
mod log;
mod metrics;
mod names;
mod ports;
mod proxies;
mod rate_limits;
mod stack;
mod token_command;
mod walkthroughs;
mod webhook;
mod wrong_database;

#[expect(dead_code, reason = "tests need only the list")]
#[path = "../../src/service_name.rs"]
mod service_name;

use std::process::{Command, Output};

use service_name::ServiceName;
use shared_runtime::service::Service;

pub(crate) fn services() -> [Service; ServiceName::ALL.len()] {
    ServiceName::ALL.map(ServiceName::definition)
}

/// An HTTP answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// Runs a line of shell that begins with `curl`, as pasted.
pub(crate) fn paste(line: &str) -> Response {
    let Output { status, stdout, stderr } = Command::new("sh")
        .args(["-c", &format!("{line} --silent --show-error --max-time 20 --write-out '\n%{{http_code}}'")])
        .output()
        .expect("a shell is there");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{line}\n{stderr}");
    let (body, status) = stdout.rsplit_once('\n').expect("curl tells the status code");
    Response { status: status.parse().expect("a status code is a number"), body: body.to_owned() }
}

/// Sends a GET with an access token.
pub(crate) fn get(url: &str, token: &str) -> Response {
    paste(&format!("curl -H 'Authorization: Bearer {token}' '{url}'"))
}

impl Response {
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}
