//! The allocator of every program: one that gives memory back to the system when a burst of connections is over.

use std::time::Duration;

use tokio::time::sleep;

// A test of this crate has the crate twice, and a program has one allocator.
#[cfg(not(test))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long memory is free before the system has it back; mimalloc's own delay.
const DELAY: Duration = Duration::from_secs(1);

/// Gives back what this thread has freed, for ever. The allocator does so itself, but only on occasion of something that is allocated:
/// a thread at rest would keep what its last burst has freed.
#[expect(unsafe_code, reason = "the allocator is a C library; this function takes nothing but a flag")]
pub async fn give_back() {
    loop {
        sleep(DELAY).await;
        // SAFETY: It may be called at any time, on any thread.
        unsafe { libmimalloc_sys::mi_collect(false) };
    }
}
