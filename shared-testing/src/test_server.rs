//! The address that callers use. Fails a passing test if the service logged failures.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
};

use crate::{failures, response::Response};

/// Server address, and the ids of the requests sent to it.
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
        // A second panic while panicking would abort the process and hide the first.
        if self.expects_failures.get() || std::thread::panicking() {
            return;
        }
        let failures = failures::of(&self.request_ids.borrow());
        assert!(failures.is_empty(), "the test passed, but the service logged failures: {}", failures.join("\n"));
    }
}
