//! Ports for the processes that tests start: they must know theirs before.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the ports that systems give to outgoing connections (32 768 and up): one of those, once let go, may be taken by
/// a connection of another test before the process that it was meant for listens on it.
const FIRST: u16 = 10_000;
/// How many ports a test process has to itself before it meets those of another.
const EACH: u16 = 16;
/// How many test processes have ports of their own.
const PROCESSES: u16 = 600;

/// An address on which nothing listens. Tests that run at the same time are processes of their own and get different ones.
pub fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let of_this_process = u16::try_from(std::process::id() % u32::from(PROCESSES)).expect("below 600") * EACH;
    loop {
        let offset = (of_this_process + NEXT.fetch_add(1, Ordering::Relaxed)) % (PROCESSES * EACH);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, FIRST + offset));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}
