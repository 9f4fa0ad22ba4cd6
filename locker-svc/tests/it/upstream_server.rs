//! An upstream that answers whatever a test tells it to.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// What it says to every request.
#[derive(Clone)]
pub enum Script {
    /// These bytes; then it hangs up.
    Say(String),
    /// Nothing; it stays on the line.
    Silence,
    /// These bytes, then blanks without end.
    Endless(String),
}

/// A listener on a free port.
pub struct UpstreamServer {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    heads: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl UpstreamServer {
    /// Starts one.
    pub async fn start(script: Script) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (script, heads) = (Arc::new(Mutex::new(script)), Arc::<Mutex<Vec<String>>>::default());
        let (said, heard) = (Arc::clone(&script), Arc::clone(&heads));
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                let (said, heard) = (Arc::clone(&said), Arc::clone(&heard));
                tokio::spawn(async move {
                    // A client that hangs up early is what some of the tests are about.
                    if let Err(error) = answer(stream, &said, &heard).await {
                        tracing::debug!(%error, "the client hung up");
                    }
                });
            }
        });
        Self { address, script, heads, task }
    }

    /// Where its catalogue is.
    pub fn url(&self) -> String {
        format!("http://{}/catalogue.json", self.address)
    }

    /// Says something else from now on.
    pub fn will(&self, script: Script) {
        *self.script.lock().expect("no test panics here") = script;
    }

    /// The heads of the requests so far.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("no test panics here").clone()
    }
}

impl Drop for UpstreamServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, script: &Mutex<Script>, heads: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    heads.lock().expect("no test panics here").push(String::from_utf8_lossy(&head).to_lowercase());
    let script = script.lock().expect("no test panics here").clone();
    match script {
        Script::Say(bytes) => stream.write_all(bytes.as_bytes()).await,
        Script::Silence => stream.read_u8().await.map(drop),
        Script::Endless(head) => {
            stream.write_all(head.as_bytes()).await?;
            loop {
                stream.write_all(&[b' '; 65_536]).await?;
            }
        }
    }
}
