//! Where the pages of agents are.

pub const PATH: &str = "/w/agents";
/// The limits of the agent with the grant in the query. Ids of grants come from the issuer, so no path has them.
pub const LIMITS_PATH: &str = "/w/agents/limits";
pub const REVOKE_PATH: &str = "/w/agents/revoke";
