//! The allocator of every program: one that gives memory back to the system when a burst of connections is over.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
