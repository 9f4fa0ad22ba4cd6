//! A lingering close (RFC 9112 §9.6). If a connection closes while its client still sends, the client gets a reset. It
//! loses the answer that it has not read. So the rest of the body is read and discarded first.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

const PIECE_BYTES: usize = 16 * 1024;

#[derive(Clone, Copy)]
struct Limits {
    bytes: u64,
    time: Duration,
    /// Between two pieces.
    pause: Duration,
}

const LIMITS: Limits = Limits {
    // Far more than any operation takes.
    bytes: 32 * 1024 * 1024,
    time: Duration::from_secs(30),
    pause: Duration::from_secs(5),
};

pub(super) struct Lingering {
    bytes_left: u64,
    end: Instant,
    pause: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Lingering {
    /// Needs a connection whose sending side is closed: some clients stop sending when they see that.
    pub(super) fn begin() -> Self {
        Self::within(LIMITS)
    }

    fn within(Limits { bytes, time, pause }: Limits) -> Self {
        let now = Instant::now();
        Self { bytes_left: bytes, end: now + time, pause, timer: Box::pin(sleep_until(now + pause)) }
    }

    /// Is ready when the client has closed, or a limit is reached.
    pub(super) fn poll_end(&mut self, mut io: Pin<&mut impl AsyncRead>, cx: &mut Context<'_>) -> Poll<()> {
        let mut piece = [0; PIECE_BYTES];
        while self.bytes_left > 0 {
            let mut piece = ReadBuf::new(&mut piece);
            match io.as_mut().poll_read(cx, &mut piece) {
                Poll::Pending => return self.timer.as_mut().poll(cx),
                Poll::Ready(Err(_)) => break,
                Poll::Ready(Ok(())) if piece.filled().is_empty() => break,
                Poll::Ready(Ok(())) => self.has_read(piece.filled().len()),
            }
        }
        Poll::Ready(())
    }

    fn has_read(&mut self, bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(bytes as u64);
        self.timer.as_mut().reset(self.end.min(Instant::now() + self.pause));
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);

    async fn end(mut ours: DuplexStream, limits: Limits) -> Duration {
        let (started, mut lingering) = (Instant::now(), Lingering::within(limits));
        poll_fn(|cx| lingering.poll_end(Pin::new(&mut ours), cx)).await;
        started.elapsed()
    }

    #[tokio::test]
    async fn a_body_is_taken_until_its_client_closes() {
        let (ours, mut theirs) = duplex(64);
        let sends = async {
            theirs.write_all(&[7; 9_000]).await.expect("it is taken");
            drop(theirs);
        };
        let (took, ()) = tokio::join!(end(ours, Limits { bytes: 9_001, time: LONG, pause: LONG }), sends);
        assert!(took < LONG, "{took:?}");
    }

    #[tokio::test]
    async fn a_silent_client_is_left_after_a_pause() {
        let (ours, _theirs) = duplex(64);
        let took = end(ours, Limits { bytes: 1, time: LONG, pause: SHORT }).await;
        assert!((SHORT..LONG).contains(&took), "{took:?}");
    }

    #[tokio::test]
    async fn a_slow_client_is_left_after_the_whole_time() {
        let (ours, mut theirs) = duplex(64);
        let sends = async {
            while theirs.write_all(b"x").await.is_ok() {
                tokio::time::sleep(SHORT / 20).await;
            }
        };
        let (took, ()) = tokio::join!(end(ours, Limits { bytes: 1 << 30, time: SHORT, pause: LONG }), sends);
        assert!((SHORT..LONG).contains(&took), "{took:?}");
    }

    #[tokio::test]
    async fn an_endless_body_is_left_after_so_many_bytes() {
        let (ours, mut theirs) = duplex(1024);
        let sends = async {
            let mut sent = 0;
            while theirs.write_all(&[7; 1024]).await.is_ok() {
                sent += 1024;
            }
            sent
        };
        let (_, sent) = tokio::join!(end(ours, Limits { bytes: 100_000, time: LONG, pause: LONG }), sends);
        assert!((100_000..110_000).contains(&sent), "{sent}");
    }
}
