//! Work that takes much time and memory: a few at a time, and never on a thread that answers requests.

use shared_model::Failure;
use tokio::{sync::Semaphore, task::spawn_blocking};

// A hostile workbook takes up to 64 MiB until it is refused.
const AT_ONCE: usize = 2;

static ROOM: Semaphore = Semaphore::const_new(AT_ONCE);

/// Waits for room, and then runs the work to its end.
pub async fn heavy<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let room = ROOM.acquire().await.map_err(|_| Failure::fault("the room for heavy work is closed"))?;
    // The work continues if its request is cut off, so it keeps its place.
    let done = spawn_blocking(move || {
        let done = work();
        drop(room);
        done
    });
    done.await.map_err(|error| Failure::fault(format!("heavy work ended early: {error}")))
}
