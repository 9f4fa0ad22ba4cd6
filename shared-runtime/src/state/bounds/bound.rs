//! The table of bounds.

use shared_model::{NextAction, Refusal, code};

/// Many clients can share an address.
pub const ADDRESS_FACTOR: u64 = 4;

/// What a process counts. The values index [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Requests whose answer the client has not taken yet.
    Requests,
    /// Requests that wait for news.
    Polls,
    /// Bytes of large bodies, from their arrival to the end of the answer.
    Bodies,
    /// Bytes of large answers that the client has not taken yet.
    Answers,
}

#[derive(Debug)]
pub struct Row {
    pub bound: Bound,
    /// The most for a grant. An address without a token has [`ADDRESS_FACTOR`] times as much.
    pub of_grant: u64,
    pub counted: &'static str,
    pub advice: &'static str,
    after_seconds: u64,
}

// The bodies hold the largest form, an upload of 20 MiB, and some more.
#[rustfmt::skip]
pub const TABLE: [Row; 4] = [
    Row { bound: Bound::Requests, of_grant: 128,              after_seconds: 1, counted: "requests in progress",    advice: "wait for an answer before the next request" },
    Row { bound: Bound::Polls,    of_grant: 16,               after_seconds: 5, counted: "waiting polls",           advice: "let several readers share one poll" },
    Row { bound: Bound::Bodies,   of_grant: 24 * 1024 * 1024, after_seconds: 1, counted: "bytes of request bodies", advice: "send fewer large bodies in parallel" },
    Row { bound: Bound::Answers,  of_grant: 16 * 1024 * 1024, after_seconds: 1, counted: "bytes of unread answers", advice: "read the earlier answers to their end, or close their connections" },
];

impl Bound {
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    pub(super) fn most(self, is_address: bool) -> u64 {
        self.row().of_grant * if is_address { ADDRESS_FACTOR } else { 1 }
    }

    pub(super) fn refusal(self, is_address: bool) -> Refusal {
        let Row { counted, advice, after_seconds, .. } = self.row();
        let whose = if is_address { "Your address" } else { "This grant" };
        let message = format!("{whose} may have {} {counted} at the same time; {advice}.", self.most(is_address));
        code::TOO_MUCH_AT_ONCE.because(message).next(NextAction::Wait { after_seconds: *after_seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_has_its_own_row() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!((row.bound as usize, row.bound.row().counted), (index, row.counted));
        }
    }
}
