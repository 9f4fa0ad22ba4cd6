//! Ports that are not free.

use std::{
    net::TcpListener,
    process::{Command, Output},
};

use crate::stack::BINARY;

#[test]
fn a_taken_port_is_told_in_a_sentence_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port();
    // The services' own port is two above the base.
    let base = (port - 2).to_string();
    let Output { status, stderr, .. } = Command::new(BINARY)
        .arg("--data")
        .arg(folder.path())
        .args(["--port-base", &base])
        .output()
        .expect("the stack's binary starts");
    assert_eq!(status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(stderr.contains(&format!("{port} (cloud)")), "{stderr}");
    assert!(stderr.contains("--port-base"), "{stderr}");
}
