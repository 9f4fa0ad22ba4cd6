//! The operations of a service that take a key.

use crate::http::{contract::Contract, routes::Routes};

/// The id of the operation that looks up commands, in every service that has it.
const LOOKUP: &str = "read_command";

/// In every app.
pub struct KeyedOperations {
    pub(super) contracts: Vec<Contract>,
    /// The template of the URL that looks up the commands of a key.
    pub(super) lookup: Option<&'static str>,
}

impl KeyedOperations {
    pub(crate) fn from_routes(routes: &Routes) -> Self {
        let contracts = routes.contracts().filter(|contract| contract.takes_key).cloned().collect();
        let lookup = routes.contracts().find(|contract| contract.id == LOOKUP).map(|contract| contract.path);
        Self { contracts, lookup }
    }
}
