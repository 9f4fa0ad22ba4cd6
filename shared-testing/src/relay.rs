//! A TCP relay that can be frozen. Like a hung machine, it then accepts bytes and answers nothing.

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

/// Relays until dropped.
pub struct Relay {
    pub address: SocketAddr,
    target: watch::Sender<SocketAddr>,
    is_frozen: watch::Sender<bool>,
}

impl Relay {
    pub fn to(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        listener.set_nonblocking(true).expect("a socket can be set so");
        let (target, targets) = watch::channel(to);
        let (is_frozen, frozen) = watch::channel(false);
        // In its own thread: tests may block theirs while they wait for a database.
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(accept(listener, targets, frozen));
        });
        Self { address, target, is_frozen }
    }

    /// New connections go there.
    pub fn redirect(&self, to: SocketAddr) {
        self.target.send_replace(to);
    }

    pub fn freeze(&self) {
        self.is_frozen.send_replace(true);
    }

    /// Passes on everything that was held back.
    pub fn thaw(&self) {
        self.is_frozen.send_replace(false);
    }
}

/// Ends when the [`Relay`] is dropped.
async fn accept(listener: TcpListener, target: watch::Receiver<SocketAddr>, mut frozen: watch::Receiver<bool>) {
    let listener = net::TcpListener::from_std(listener).expect("it is a socket");
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (client, _) = accepted.expect("the listener is open");
                connections.spawn(relay(client, *target.borrow(), frozen.clone()));
            }
            changed = frozen.changed() => if changed.is_err() { return },
        }
    }
}

async fn relay(client: TcpStream, to: SocketAddr, frozen: watch::Receiver<bool>) {
    // While frozen, connections are accepted (by the kernel, as on a hung machine) but not forwarded.
    if thawed(frozen.clone()).await.is_none() {
        return;
    }
    let Ok(server) = TcpStream::connect(to).await else { return };
    let ((client_out, client_in), (server_out, server_in)) = (client.into_split(), server.into_split());
    tokio::join!(pass(client_out, server_in, frozen.clone()), pass(server_out, client_in, frozen));
}

/// Passes bytes on until either side closes.
async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, frozen: watch::Receiver<bool>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if thawed(frozen.clone()).await.is_none() || to.write_all(&bytes[..count]).await.is_err() {
            break;
        }
    }
    // The other side may have closed already.
    let _ = to.shutdown().await;
}

/// Waits until the relay is not frozen; `None` if it was dropped.
async fn thawed(mut frozen: watch::Receiver<bool>) -> Option<()> {
    frozen.wait_for(|is_frozen| !is_frozen).await.ok().map(|_| ())
}
