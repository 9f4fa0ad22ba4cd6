//! The allocator of every program (mimalloc), set up to return freed memory to the system.

use std::{
    ffi::{c_int, c_long},
    time::Duration,
};

use tokio::time::sleep;

// This crate's own tests link it twice, but a program may have only one allocator.
#[cfg(not(test))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

// `mi_option_purge_delay` in mimalloc.h; the crate has no name for it.
const PURGE_DELAY: c_int = 15;

// A buffer that the next request uses again stays; a large one is gone soon after it was needed.
const PURGE_DELAY_MILLIS: c_long = 100;

const PERIOD: Duration = Duration::from_secs(1);

/// Returns pages to the system a tenth of a second after they became empty, not after a second or more.
/// `MIMALLOC_PURGE_DELAY` in the environment takes precedence.
#[expect(unsafe_code, reason = "the allocator is a C library; this function takes nothing but numbers")]
pub fn purge_soon() {
    // Not at once: under load the same pages would be returned and taken again.
    // SAFETY: It may be called at any time, on any thread.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, PURGE_DELAY_MILLIS) };
}

/// Returns what this thread has freed, every second, without end.
#[expect(unsafe_code, reason = "the allocator is a C library; this function takes nothing but a flag")]
pub async fn return_freed_memory() {
    loop {
        // mimalloc returns memory only when the thread allocates. An idle thread would keep the memory of its last
        // burst.
        sleep(PERIOD).await;
        // SAFETY: It may be called at any time, on any thread.
        unsafe { libmimalloc_sys::mi_collect(false) };
    }
}
