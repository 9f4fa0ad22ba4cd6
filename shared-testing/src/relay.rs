//! A relay to a server, which can be frozen: as with a machine that hangs, the kernel acknowledges what it gets, and nothing
//! comes back.

use std::{
    net::{SocketAddr, TcpListener},
    thread,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{self, TcpStream},
    runtime,
    sync::watch,
    task::JoinSet,
};

/// Relays until it is dropped, on a thread of its own: tests wait for databases without giving way to other tasks.
pub struct Relay {
    /// Where it listens.
    pub address: SocketAddr,
    is_frozen: watch::Sender<bool>,
}

impl Relay {
    /// A relay to the server at `to`, on a free port.
    pub fn to(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        listener.set_nonblocking(true).expect("a socket can be set so");
        let (is_frozen, frozen) = watch::channel(false);
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(accept(listener, to, frozen));
        });
        Self { address, is_frozen }
    }

    /// From now on nothing passes.
    pub fn freeze(&self) {
        self.is_frozen.send_replace(true);
    }

    /// What was held back passes, and all that follows.
    pub fn thaw(&self) {
        self.is_frozen.send_replace(false);
    }
}

/// Ends with the [`Relay`].
async fn accept(listener: TcpListener, to: SocketAddr, mut frozen: watch::Receiver<bool>) {
    let listener = net::TcpListener::from_std(listener).expect("it is a socket");
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (client, _) = accepted.expect("the listener is open");
                connections.spawn(relay(client, to, frozen.clone()));
            }
            changed = frozen.changed() => if changed.is_err() { return },
        }
    }
}

async fn relay(client: TcpStream, to: SocketAddr, frozen: watch::Receiver<bool>) {
    if thawed(frozen.clone()).await.is_none() {
        return;
    }
    let Ok(server) = TcpStream::connect(to).await else { return };
    let ((client_out, client_in), (server_out, server_in)) = (client.into_split(), server.into_split());
    tokio::join!(pass(client_out, server_in, frozen.clone()), pass(server_out, client_in, frozen));
}

/// Passes bytes on until either side ends.
async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, frozen: watch::Receiver<bool>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if thawed(frozen.clone()).await.is_none() || to.write_all(&bytes[..count]).await.is_err() {
            break;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown().await;
}

/// Returns when nothing is frozen; `None` when the relay is gone.
async fn thawed(mut frozen: watch::Receiver<bool>) -> Option<()> {
    frozen.wait_for(|is_frozen| !is_frozen).await.ok().map(|_| ())
}
