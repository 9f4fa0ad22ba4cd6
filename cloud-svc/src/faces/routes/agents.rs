//! The URLs of agents.

use shared_runtime::Routes;

use crate::{
    base::{
        codes::PERSON_REQUIRED,
        limits::{READ, WRITE},
    },
    edits::agents,
};

pub(super) fn declare(routes: &mut Routes) {
    routes
        .get("/v1/agents", "list_agents", &READ, agents::list::list)
        .summary("List the agents of the workspace.")
        .description("Grants of type `agent` that were seen here, with their limits and open plans. For people.")
        .refuses(&PERSON_REQUIRED);
    routes
        .get("/v1/agents/{grant_id}/limits", "get_agent_limits", &READ, agents::read::read)
        .summary("Read what an agent may see and do.")
        .description(
            "For people. An agent without limits may do what its scopes and the policy of the workspace allow.",
        )
        .refuses(&PERSON_REQUIRED);
    routes
        .put("/v1/agents/{grant_id}/limits", "set_agent_limits", &WRITE, agents::set::set)
        .summary("Set what an agent may see and do.")
        .description(
            "For people. The agent sees nothing outside its limits. They take effect at \
             its next request.",
        )
        .refuses(&PERSON_REQUIRED);
    routes
        .post("/v1/agents/{grant_id}/revoke", "revoke_agent", &WRITE, agents::revoke::revoke)
        .summary("End the access of an agent, for good.")
        .description(
            "For people. The grant is refused here within 250 ms, whatever tokens it gets. Other services are not notified: \
             revoke it also where it was given.",
        )
        .refuses(&PERSON_REQUIRED);
}
