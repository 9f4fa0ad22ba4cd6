//! A stream that is read only while its peer takes the answers.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::registry::Entry;

/// Bytes that are read before the answers to them must have been sent. Many small requests fit, and their answers are what
/// a peer that takes none can have the service keep.
const READ_AHEAD: usize = 8 * 1024;

/// A client's connection.
pub(super) struct Connection<Io> {
    io: Io,
    entry: Entry,
    /// Bytes that may still be read before the answers are looked after.
    credit: usize,
    /// The peer did not take all that was sent last.
    is_stuck: bool,
    /// Waits until the peer has taken it.
    reader: Option<Waker>,
}

impl<Io> Connection<Io> {
    pub(super) fn new(io: Io, entry: Entry) -> Self {
        Self { io, entry, credit: READ_AHEAD, is_stuck: false, reader: None }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Connection<Io> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.entry.is_evicted() {
            // As if the peer had hung up.
            return Poll::Ready(Ok(()));
        }
        if this.is_stuck {
            this.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        if this.credit == 0 {
            // What was read is answered and sent before more is.
            this.credit = READ_AHEAD;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.io).poll_read(cx, buffer);
        match &read {
            Poll::Ready(_) => {
                let count = buffer.filled().len() - before;
                this.credit = this.credit.saturating_sub(count);
                this.entry.has_read(count);
            }
            Poll::Pending => {
                this.credit = READ_AHEAD;
                this.entry.waits(cx.waker());
            }
        }
        read
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Connection<Io> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.io).poll_write(cx, bytes);
        this.is_stuck = match &written {
            Poll::Ready(Ok(count)) => *count < bytes.len(),
            Poll::Ready(Err(_)) => false,
            Poll::Pending => true,
        };
        if !this.is_stuck {
            this.entry.has_written();
            if let Some(reader) = this.reader.take() {
                reader.wake();
            }
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::{super::registry::Registry, *};

    fn pair(
        buffer: usize,
        bound: usize,
    ) -> (Connection<tokio::io::DuplexStream>, tokio::io::DuplexStream, Rc<Registry>) {
        let registry = Registry::bounded(bound);
        let (ours, theirs) = duplex(buffer);
        let entry = Registry::admit(&registry).expect("there is room");
        (Connection::new(ours, entry), theirs, registry)
    }

    #[tokio::test]
    async fn nothing_is_read_while_what_was_sent_is_not_taken() {
        let (mut ours, mut theirs, _registry) = pair(8, 1);
        theirs.write_all(b"ask").await.expect("room");
        let sent = tokio::time::timeout(std::time::Duration::from_millis(10), ours.write_all(&[7; 9])).await;
        assert!(sent.is_err(), "the peer has room for eight");
        let mut got = [0; 3];
        let read = tokio::time::timeout(std::time::Duration::from_millis(10), ours.read(&mut got)).await;
        assert!(read.is_err(), "one byte is not sent yet");
        let mut taken = [0; 8];
        theirs.read_exact(&mut taken).await.expect("bytes");
        ours.write_all(&[7]).await.expect("room");
        assert_eq!(ours.read(&mut got).await.expect("bytes"), 3);
    }

    #[tokio::test]
    async fn a_reader_that_waits_for_the_peer_is_woken_when_it_takes_what_was_sent() {
        let (ours, mut theirs, _registry) = pair(8, 1);
        theirs.write_all(b"ask").await.expect("room");
        let (mut reader, mut writer) = tokio::io::split(ours);
        let reads = async {
            tokio::task::yield_now().await;
            let mut got = [0; 3];
            reader.read_exact(&mut got).await.expect("bytes");
        };
        let takes = async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            let mut taken = [0; 9];
            theirs.read_exact(&mut taken).await.expect("bytes");
        };
        let (sent, (), ()) = tokio::join!(writer.write_all(&[7; 9]), reads, takes);
        sent.expect("all is taken");
    }

    #[tokio::test]
    async fn more_than_the_credit_is_read_in_rounds() {
        let (mut ours, mut theirs, _registry) = pair(64 * 1024, 1);
        theirs.write_all(&[1; 20_000]).await.expect("room");
        drop(theirs);
        let mut got = Vec::new();
        ours.read_to_end(&mut got).await.expect("bytes");
        assert_eq!(got.len(), 20_000);
    }

    #[tokio::test]
    async fn who_is_evicted_reads_the_end() {
        let (mut ours, _theirs, registry) = pair(8, 1);
        let mut got = [0; 1];
        let read = ours.read(&mut got);
        let evict = async {
            tokio::task::yield_now().await;
            drop(Registry::admit(&registry).expect("the idle one makes room"));
        };
        let (read, ()) = tokio::join!(read, evict);
        assert_eq!(read.expect("an end"), 0);
    }
}
