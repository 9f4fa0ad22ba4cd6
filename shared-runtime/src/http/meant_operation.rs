//! The operation that a client means with a method that its URL does not have.
//!
//! A client may try `DELETE`. Here a deletion or a change has a URL of its own, like `POST …/trash`.

use actix_web::http::Method;
use shared_model::Problem;

use super::contract::Contract;

/// Methods, and the last words of paths that do what people expect of the method.
const MEANINGS: [(Method, &[&str]); 3] = [
    (Method::DELETE, &["trash", "delete", "discard", "cancel", "revoke"]),
    (Method::PATCH, CHANGES),
    (Method::PUT, CHANGES),
];
const CHANGES: &[&str] = &["update", "edit-plans", "rename", "move"];

/// For each method, the operations on what the path names.
pub(super) fn of_path<'c>(path: &str, contracts: impl Iterator<Item = &'c Contract>) -> Vec<(Method, Vec<Problem>)> {
    // Kinds of files have their own URLs, and the files' commands have those of all files: the id connects them.
    let Some(id) = path.rsplit('/').next().filter(|last| last.starts_with('{')) else { return Vec::new() };
    let ids = path.matches('{').count();
    let commands = contracts.filter(|contract| contract.method == Method::POST);
    let on_this: Vec<_> = commands.filter(|contract| contract.path.matches('{').count() == ids).collect();
    let means = |contract: &Contract, words: &[&str]| {
        let mut ends = contract.path.rsplit('/');
        ends.next().is_some_and(|verb| words.contains(&verb)) && ends.next() == Some(id)
    };
    let problem = |contract: &Contract| Problem {
        at: "path".to_owned(),
        rule: format!("must be POST {}: {}", contract.path, contract.summary),
    };
    let meant = |(method, words)| {
        let meant = on_this.iter().filter(|contract| means(contract, words));
        (method, meant.map(|contract| problem(contract)).collect())
    };
    MEANINGS.into_iter().map(meant).collect()
}
