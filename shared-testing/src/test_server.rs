//! The server that callers send their requests to. It fails a test that went well while the service logged failures.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
};

use crate::{failures, response::Response};

/// Where callers send their requests, and what came back.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) expects_failures: Cell<bool>,
    request_ids: RefCell<Vec<String>>,
}

impl TestServer {
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, expects_failures: Cell::new(false), request_ids: RefCell::default() }
    }

    pub(crate) fn remember(&self, response: &Response) {
        if response.has_header("x-request-id") {
            self.request_ids.borrow_mut().push(response.request_id().to_owned());
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if self.expects_failures.get() || std::thread::panicking() {
            return;
        }
        let failures = failures::of(&self.request_ids.borrow());
        assert!(failures.is_empty(), "the service failed while the test went well: {}", failures.join("\n"));
    }
}
