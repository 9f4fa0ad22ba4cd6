//! Pages about the agents of the workspace.

mod limit_fields;
mod list;
mod path;
mod revoke;
mod set;
mod words;

pub use path::PATH;
use path::{LIMITS_PATH, REVOKE_PATH};
use shared_runtime::pages::Pages;

pub fn declare(pages: &mut Pages) {
    pages.get(PATH, "agents_page", list::agents).takes(&["cursor"]);
    pages.get(LIMITS_PATH, "agent_page", set::form).takes(&["grant"]);
    pages
        .post(LIMITS_PATH, "limit_agent_page", set::set)
        .takes(&["grant", "may", "rooms", "kinds", "bytes"])
        .takes_numbered(limit_fields::FOLDER, limit_fields::FOLDERS)
        .takes_numbered(limit_fields::KIND, limit_fields::KINDS);
    pages.post(REVOKE_PATH, "revoke_agent_page", revoke::revoke).takes(&["grant"]);
}
