//! The tools of a service, and what is said of all that they answer.

use rmcp::model::MetaObject;
use serde_json::{Map, json};

use super::{resource::Resources, tool::Tool};

/// The tools of a service.
pub struct Tools {
    /// What an agent is told before it sees the tools.
    pub instructions: &'static str,
    /// Whether what tools answer is private to the caller.
    pub is_private: bool,
    /// The tools, in the order in which they are listed.
    pub tools: Vec<Tool>,
    /// What can be read by a URI, where anything can.
    pub resources: Option<Resources>,
}

impl Tools {
    /// What a client is told of everything that comes from here: others may have written it.
    pub(super) fn marks(&self) -> MetaObject {
        let confidentiality = if self.is_private { "private" } else { "public" };
        let mut meta = Map::new();
        meta.insert("service/content_is_untrusted".to_owned(), true.into());
        meta.insert("ifc".to_owned(), json!({"integrity": "untrusted", "confidentiality": confidentiality}));
        MetaObject(meta)
    }
}
