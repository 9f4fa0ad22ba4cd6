//! Free ports for processes that must know their port before they start.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::atomic::{AtomicU16, Ordering},
};

// Below the range for outgoing connections (32 768 and up). Another test's connection could take such a port before the
// process listens on it.
const FIRST: u16 = 10_000;
// More than one test process needs.
const EACH: u16 = 16;
// With 16 ports each, this ends at 19 600, below the ports of local stacks.
const PROCESSES: u16 = 600;

/// An address without a listener. Each test process searches a range of its own.
pub fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Process ids of parallel tests are close together, so their ranges differ.
    let of_this_process = u16::try_from(std::process::id() % u32::from(PROCESSES)).expect("below 600") * EACH;
    loop {
        let offset = (of_this_process + NEXT.fetch_add(1, Ordering::Relaxed)) % (PROCESSES * EACH);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, FIRST + offset));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}
