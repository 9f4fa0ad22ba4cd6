//! A model on this machine, as well-behaved as a test wants it.

use std::{
    io,
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel},
    },
};

use serde_json::json;
use shared_testing::hostile_server::{HostileServer, Wire, answer};

/// A model that answers every chat with these words.
pub fn saying(words: &'static str) -> HostileServer {
    HostileServer::http(move |stream, request| if is_chat(request) { say(stream, words) } else { no_list(stream) })
}

/// A model that leaves its chats unanswered until the test tells what to say to each, in the order of their arrival.
pub fn waiting() -> (HostileServer, Receiver<Sender<Result<&'static str, u16>>>) {
    let (chats, arrived) = channel();
    let chats = Mutex::new(chats);
    let hostile_server = HostileServer::http(move |stream, request| {
        if !is_chat(request) {
            return no_list(stream);
        }
        let (answer_with, words) = channel();
        let sent = chats.lock().map(|chats| chats.send(answer_with));
        assert!(sent.is_ok_and(|sent| sent.is_ok()), "the test waits for chats");
        match words.recv() {
            Ok(Ok(words)) => say(stream, words),
            Ok(Err(status)) => stream.write_all(answer(status, "", "").as_bytes()),
            Err(_) => Ok(()),
        }
    });
    (hostile_server, arrived)
}

/// The URL to configure.
pub fn url(model: &HostileServer) -> String {
    format!("http://{}/v1", model.address)
}

/// How many chats it has heard.
pub fn chats(model: &HostileServer) -> usize {
    model.requests().iter().filter(|request| is_chat(request)).count()
}

fn is_chat(request: &str) -> bool {
    request.starts_with("POST /v1/chat/completions ")
}

fn say(stream: &mut dyn Wire, words: &str) -> io::Result<()> {
    let body = json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": words}}]});
    stream.write_all(answer(200, "Content-Type: application/json\r\n", &body.to_string()).as_bytes())
}

fn no_list(stream: &mut dyn Wire) -> io::Result<()> {
    stream.write_all(answer(404, "", "").as_bytes())
}
