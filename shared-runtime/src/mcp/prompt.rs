//! Prompts as a service defines them: requests that a person picks in the client.

use futures_util::future::LocalBoxFuture;
use shared_model::Failure;

use crate::http::operations::Operations;

/// A request that a person picks.
pub struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// All are required.
    pub arguments: &'static [PromptParameter],
    /// What the model is asked. `{name}` stands for the value of an argument.
    pub text: &'static str,
}

pub struct PromptParameter {
    pub name: &'static str,
    pub description: &'static str,
}

/// Values of an argument that begin with, or are found by, what the person has typed.
pub type Complete = for<'c> fn(&'c Operations, String, String) -> LocalBoxFuture<'c, Result<Vec<String>, Failure>>;
