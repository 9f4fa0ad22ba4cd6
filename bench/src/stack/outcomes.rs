//! Outcomes of requests.

use std::collections::BTreeMap;

use reqwest::{Response, Result};

/// Counts by outcome: a status, or the reason for no answer.
pub type Outcomes = BTreeMap<String, u64>;

/// Status or error, in one word.
pub fn outcome(answer: &Result<Response>) -> String {
    match answer {
        Ok(response) => response.status().as_u16().to_string(),
        Err(error) if error.is_connect() => "no connection".to_owned(),
        Err(error) if error.is_timeout() => "no answer".to_owned(),
        Err(_) => "cut off".to_owned(),
    }
}
