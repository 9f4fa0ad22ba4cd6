//! A stream that reads only while its client takes the answers, and that adds bodies to empty refusals of actix-http.

use std::{
    io, mem,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use memchr::memmem;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use super::{lingering::Lingering, registry::Entry};
use crate::http::{
    edge::unreadable,
    flow::{Flow, Readable},
};

/// How long the head of a request may take; the same for each request of a connection.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
// A request's head with a token fits. More would let actix-http parse further pipelined requests.
const HEAD_BYTES: usize = 2 * 1024;
const BLANK_LINE: &[u8] = b"\r\n\r\n";

pub(super) struct Connection<Io> {
    io: Io,
    entry: Entry,
    flow: Flow,
    /// Runs while the rest of a head is missing. actix-http itself limits only the first head of a connection.
    head_timer: Option<Pin<Box<Sleep>>>,
    /// Give actix-http a turn to look at the bytes before more are read.
    pauses: bool,
    /// Bytes of further requests, at most [`HEAD_BYTES`]: actix-http would parse all of them at once.
    held: Vec<u8>,
    /// Sent instead of what actix-http writes.
    refusal: Option<Refusal>,
    /// The last request was refused before it was read to its end.
    is_cut: bool,
    lingering: Option<Lingering>,
}

struct Refusal {
    bytes: Vec<u8>,
    sent: usize,
}

impl<Io> Connection<Io> {
    pub(super) fn new(io: Io, entry: Entry) -> Self {
        Self {
            io,
            flow: entry.flow().clone(),
            entry,
            head_timer: None,
            pauses: false,
            held: Vec::new(),
            refusal: None,
            is_cut: false,
            lingering: None,
        }
    }

    pub(super) fn flow(&self) -> &Flow {
        &self.flow
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Connection<Io> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.entry.is_evicted() {
            // As if the client had closed the connection.
            return Poll::Ready(Ok(()));
        }
        if !this.flow.is_in_head() {
            this.head_timer = None;
        }
        if mem::take(&mut this.pauses) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let readable = this.flow.readable(cx.waker());
        let before = buffer.filled().len();
        let read = match readable {
            Readable::Nothing => return Poll::Pending,
            Readable::Watched => return this.poll_gone(cx),
            Readable::End => return Poll::Ready(Ok(())),
            Readable::Head => this.poll_head(cx, buffer),
            Readable::Body(most) => this.poll_body(cx, most, buffer),
        };
        let count = buffer.filled().len() - before;
        if read.is_pending() {
            this.entry.waits(cx.waker());
            return this.poll_late_head(cx);
        }
        this.entry.touch();
        this.flow.has_read(count);
        if count > 0 && readable == Readable::Head {
            this.flow.begin_head();
            this.pauses = true;
        }
        read
    }
}

impl<Io: AsyncRead + Unpin> Connection<Io> {
    /// Returns one head, or the part that has arrived, and holds the rest.
    fn poll_head(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut piece = [0; HEAD_BYTES];
        let mut piece = ReadBuf::new(&mut piece);
        if self.held.is_empty() {
            ready!(Pin::new(&mut self.io).poll_read(cx, &mut piece))?;
        } else {
            piece.put_slice(&self.held);
            self.held.clear();
        }
        let piece = piece.filled();
        // A head may come in several pieces; then its end is not in this one, and all of it is passed on.
        let end = memmem::find(piece, BLANK_LINE).map_or(piece.len(), |at| at + BLANK_LINE.len());
        let (now, later) = piece.split_at(end.min(buffer.remaining()));
        buffer.put_slice(now);
        self.held.extend_from_slice(later);
        Poll::Ready(Ok(()))
    }

    /// Ready, as if the client had closed the connection, when a head that has begun does not end in time.
    fn poll_late_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.flow.is_in_head() {
            return Poll::Pending;
        }
        let timer = self.head_timer.get_or_insert_with(|| Box::pin(sleep(HEAD_TIMEOUT)));
        timer.as_mut().poll(cx).map(Ok)
    }

    /// Never ready, unless the connection breaks: notices that the client closes its side, and holds what it sends.
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.held.len() < HEAD_BYTES {
            let mut piece = [0; HEAD_BYTES];
            let mut piece = ReadBuf::new(&mut piece[self.held.len()..]);
            ready!(Pin::new(&mut self.io).poll_read(cx, &mut piece))?;
            if piece.filled().is_empty() {
                self.flow.set_gone();
                break;
            }
            self.held.extend_from_slice(piece.filled());
        }
        Poll::Pending
    }

    /// Returns at most `most` bytes of a body.
    fn poll_body(&mut self, cx: &mut Context<'_>, most: u64, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(buffer.remaining());
        if self.held.is_empty() {
            let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
            let read = Pin::new(&mut self.io).poll_read(cx, &mut part);
            let count = part.filled().len();
            buffer.advance(count);
            return read;
        }
        let now = most.min(self.held.len());
        buffer.put_slice(&self.held[..now]);
        self.held.drain(..now);
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Connection<Io> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        // Only before our own answers: a download may contain any bytes.
        if this.refusal.is_none() && !this.flow.has_unsent() {
            this.refusal = unreadable::answer(bytes).map(|bytes| Refusal { bytes, sent: 0 });
            this.is_cut |= this.refusal.is_some();
        }
        let written = match &mut this.refusal {
            None => Pin::new(&mut this.io).poll_write(cx, bytes),
            Some(refusal) => refusal.poll_send(Pin::new(&mut this.io), cx, bytes.len()),
        };
        if written.is_ready() {
            this.refusal = None;
        }
        let is_stuck = match &written {
            Poll::Ready(Ok(count)) => *count < bytes.len(),
            Poll::Ready(Err(_)) => false,
            Poll::Pending => true,
        };
        this.flow.set_stuck(is_stuck);
        if !is_stuck {
            this.entry.touch();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.io).poll_flush(cx))?;
        self.flow.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.lingering.is_none() {
            ready!(Pin::new(&mut this.io).poll_shutdown(cx))?;
        }
        if this.entry.is_evicted() || !(this.is_cut || this.flow.is_unread()) {
            return Poll::Ready(Ok(()));
        }
        this.entry.waits(cx.waker());
        this.lingering.get_or_insert_with(Lingering::begin).poll_end(Pin::new(&mut this.io), cx).map(Ok)
    }
}

impl Refusal {
    /// Sends the refusal; afterwards the bytes that it replaces count as sent.
    fn poll_send(
        &mut self,
        mut io: Pin<&mut impl AsyncWrite>,
        cx: &mut Context<'_>,
        in_place_of: usize,
    ) -> Poll<io::Result<usize>> {
        while self.sent < self.bytes.len() {
            match ready!(io.as_mut().poll_write(cx, &self.bytes[self.sent..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.sent += count,
            }
        }
        Poll::Ready(Ok(in_place_of))
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
        time::timeout,
    };

    use super::*;
    use crate::{
        base::metrics::Metrics,
        service::connections::{measures::ConnectionMeasures, open::OpenConnections, registry::Registry},
    };

    fn pair(
        buffer: usize,
        bound: usize,
    ) -> (Connection<tokio::io::DuplexStream>, tokio::io::DuplexStream, Rc<Registry>) {
        let measures = ConnectionMeasures::for_listener(&Metrics::for_service("test"), "plain");
        let registry = Registry::bounded(bound, measures, OpenConnections::default());
        let (ours, theirs) = duplex(buffer);
        let entry = Registry::admit(&registry).expect("there is room");
        (Connection::new(ours, entry), theirs, registry)
    }

    #[tokio::test]
    async fn nothing_is_read_while_the_client_does_not_take_an_answer() {
        let (mut ours, mut theirs, _registry) = pair(8, 1);
        theirs.write_all(b"ask").await.expect("room");
        let sent = timeout(std::time::Duration::from_millis(10), ours.write_all(&[7; 9])).await;
        assert!(sent.is_err(), "the peer has room for eight");
        let mut got = [0; 3];
        let read = timeout(std::time::Duration::from_millis(10), ours.read(&mut got)).await;
        assert!(read.is_err(), "one byte is not sent yet");
        let mut taken = [0; 8];
        theirs.read_exact(&mut taken).await.expect("bytes");
        ours.write_all(&[7]).await.expect("room");
        assert_eq!(ours.read(&mut got).await.expect("bytes"), 3);
    }

    #[tokio::test]
    async fn a_waiting_reader_is_woken_when_the_client_takes_the_answer() {
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
    async fn many_requests_at_once_are_read_in_rounds() {
        let (mut ours, mut theirs, _registry) = pair(64 * 1024, 1);
        theirs.write_all(&b"GET /n HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000)).await.expect("room");
        drop(theirs);
        let mut got = Vec::new();
        ours.read_to_end(&mut got).await.expect("bytes");
        assert_eq!(got.len(), 28_000);
    }

    #[tokio::test]
    async fn requests_that_arrive_together_are_read_one_by_one() {
        let (mut ours, mut theirs, _registry) = pair(64, 1);
        theirs.write_all(b"GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET").await.expect("room");
        let mut got = [0; 64];
        for expected in ["GET /a HTTP/1.1\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n", "GET"] {
            let count = ours.read(&mut got).await.expect("bytes");
            assert_eq!(&got[..count], expected.as_bytes());
        }
    }

    #[tokio::test]
    async fn a_waiting_request_learns_that_its_client_has_left_and_loses_nothing_that_it_sent() {
        let (mut ours, mut theirs, _registry) = pair(64, 1);
        let flow = ours.flow().clone();
        let answering = flow.answering(false).await;
        let waiting = flow.wait().expect("a place");
        let mut got = [0; 64];
        let closes = async {
            tokio::task::yield_now().await;
            theirs.write_all(b"GET /b HTTP/1.1\r\n\r\n").await.expect("room");
            drop(theirs);
        };
        tokio::select! {
            _ = ours.read(&mut got) => panic!("nothing is read while a request waits"),
            ((), ()) = async { tokio::join!(waiting.client_has_left(), closes) } => {}
        }
        drop((waiting, answering));
        assert_eq!(ours.read(&mut got).await.expect("bytes"), 19);
        assert_eq!(ours.read(&mut got).await.expect("an end"), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_later_head_that_does_not_end_in_time_ends_its_connection() {
        let (mut ours, mut theirs, _registry) = pair(64, 1);
        let mut got = [0; 64];
        for head in ["GET /a HTTP/1.1\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n"] {
            theirs.write_all(&head.as_bytes()[..1]).await.expect("room");
            assert_eq!(ours.read(&mut got).await.expect("bytes"), 1);
            // More than half of the time: each head has all of it.
            let rest = timeout(HEAD_TIMEOUT * 3 / 4, ours.read(&mut got)).await;
            assert!(rest.is_err(), "the rest of the head may still come");
            theirs.write_all(&head.as_bytes()[1..]).await.expect("room");
            assert_eq!(ours.read(&mut got).await.expect("bytes"), head.len() - 1);
            drop(ours.flow().clone().answering(false).await);
        }
        let next = timeout(HEAD_TIMEOUT * 3, ours.read(&mut got)).await;
        assert!(next.is_err(), "without a head there is no limit");
        theirs.write_all(b"G").await.expect("room");
        assert_eq!(ours.read(&mut got).await.expect("bytes"), 1);
        let end = timeout(HEAD_TIMEOUT * 3, ours.read(&mut got)).await;
        assert_eq!(end.expect("an end").expect("as if the client had closed"), 0);
    }

    /// Half a head makes it no less idle.
    #[tokio::test]
    async fn an_evicted_connection_reads_its_end() {
        let (mut ours, mut theirs, registry) = pair(8, 1);
        theirs.write_all(b"G").await.expect("room");
        let mut got = [0; 1];
        assert_eq!(ours.read(&mut got).await.expect("bytes"), 1);
        let read = ours.read(&mut got);
        let evict = async {
            tokio::task::yield_now().await;
            drop(Registry::admit(&registry).expect("the idle one makes room"));
        };
        let (read, ()) = tokio::join!(read, evict);
        assert_eq!(read.expect("an end"), 0);
    }
}
