//! `bench memory`: what grants, long-polls, webhooks and unread calls cost in memory.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use shared_testing::{Caller, ServiceProcess, Text as _};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpSocket, TcpStream},
    time::sleep,
};

use crate::{document::document, process, service::UnderLoad};

const COUNT: usize = 1_000;
/// A grant may have this many.
const WEBHOOKS: usize = 10;
/// So that no grant reaches a bound.
const OF_A_GRANT: usize = 10;
// Lets the service answer, and give memory back.
const SETTLED: Duration = Duration::from_secs(3);

pub async fn run() -> Result<()> {
    let service = UnderLoad::start("cloud-svc", cloud_svc::service(), None, 1).await?;
    let cloud = service.first();
    let resident = async || {
        sleep(SETTLED).await;
        process::resident_mib(cloud.pid())
    };
    let callers: Vec<_> = (0..COUNT).map(|number| cloud.caller(&format!("caller-{number}"))).collect();
    let created = callers[0].post("/v1/documents").fresh_key().json(document(2_048)).await.status(200);
    let path = format!("/v1/documents/{}", created["file"]["id"].text());
    let cursor = callers[0].get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let mut before = resident().await?;
    println!("memory: an idle service with one grant, {before:.1} MiB");
    println!("{:<52} {:>10}", "", "MiB more");
    let mut line = |what: &str, now: f64| {
        println!("{:<52} {:>10.1}", format!("{COUNT} {what}"), now - before);
        before = now;
    };

    for caller in &callers {
        caller.get(&path).await.status(200);
    }
    line("grants that have read a document", resident().await?);
    for number in 0..COUNT {
        let body = json!({"url": format!("https://hooks.example.com/{number}"), "events": ["file.created"]});
        callers[number / WEBHOOKS].post("/v1/webhooks").fresh_key().json(body).await.status(200);
    }
    line("webhooks", resident().await?);
    let mut open = Vec::new();
    let mut send = async |request: Vec<u8>| -> Result<()> {
        let mut stream = connect(cloud).await?;
        stream.write_all(&request).await?;
        open.push(stream);
        Ok(())
    };
    for caller in &callers {
        send(request(caller, cloud, &format!("GET {path}"), "")).await?;
    }
    line("connections that wait after a read", resident().await?);
    for number in 0..COUNT {
        let target = format!("GET /v1/changes?cursor={cursor}&wait_seconds=25");
        send(request(&callers[number / OF_A_GRANT], cloud, &target, "")).await?;
    }
    line("waiting long-polls, with their connections", resident().await?);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    for number in 0..COUNT {
        send(request(&callers[number / OF_A_GRANT], cloud, "POST /mcp", &call)).await?;
    }
    line("unread answers of /mcp, with their connections", resident().await?);
    ensure!(open.len() == 3 * COUNT, "not all connections were opened");
    Ok(())
}

async fn connect(cloud: &ServiceProcess) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    // Otherwise the client's kernel would take whole answers.
    socket.set_recv_buffer_size(4 * 1024)?;
    Ok(socket.connect(cloud.address()).await?)
}

fn request(caller: &Caller, cloud: &ServiceProcess, target: &str, body: &str) -> Vec<u8> {
    let (host, token, length) = (cloud.address(), caller.token(), body.len());
    let head = format!("{target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n");
    let accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    format!("{head}{accept}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}
