//! The allocator of every program: one that gives memory back to the system when a burst of connections is over.

use std::{ffi::c_int, time::Duration};

use tokio::time::sleep;

// A test of this crate has the crate twice, and a program has one allocator.
#[cfg(not(test))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h, which the crate does not name.
const PURGE_DELAY: c_int = 15;

/// How often a thread gives back.
const PERIOD: Duration = Duration::from_secs(1);

/// Has the system get pages back as soon as nothing is left on them, not a second and more later: the threads that work on the largest
/// contents are several, and each would keep what its last one took. `MIMALLOC_PURGE_DELAY` in the environment counts for more.
#[expect(unsafe_code, reason = "the allocator is a C library; this function takes nothing but numbers")]
pub fn keep_little() {
    // SAFETY: It may be called at any time, on any thread.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, 0) };
}

/// Gives back what this thread has freed, for ever. The allocator does so itself, but only on occasion of something that is allocated:
/// a thread at rest would keep what its last burst has freed.
#[expect(unsafe_code, reason = "the allocator is a C library; this function takes nothing but a flag")]
pub async fn give_back() {
    loop {
        sleep(PERIOD).await;
        // SAFETY: It may be called at any time, on any thread.
        unsafe { libmimalloc_sys::mi_collect(false) };
    }
}
