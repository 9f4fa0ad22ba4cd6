//! What became of requests.

use std::collections::BTreeMap;

use reqwest::{Response, Result};

/// How often each of them was the outcome: a status, or why there was none.
pub type Outcomes = BTreeMap<String, u64>;

/// The outcome of a request, in a word.
pub fn outcome(answer: &Result<Response>) -> String {
    match answer {
        Ok(response) => response.status().as_u16().to_string(),
        Err(error) if error.is_connect() => "no connection".to_owned(),
        Err(error) if error.is_timeout() => "no answer".to_owned(),
        Err(_) => "cut off".to_owned(),
    }
}
