//! The tools of a service, and the marks on all their answers.

use rmcp::model::MetaObject;
use serde_json::{Map, Value, json};

use super::{
    arguments::Arguments,
    prompt::{Complete, Prompt},
    resource::Resources,
    tool::Tool,
};

pub struct Tools {
    /// For agents, before they see the tools.
    pub instructions: &'static str,
    /// Whether answers are private to the caller.
    pub is_private: bool,
    /// In the order of `tools/list`.
    pub tools: Vec<Tool>,
    pub resources: Option<Resources>,
    /// A tool and its arguments for a call that found nothing, where the arguments show why.
    pub instead: fn(&Arguments) -> Option<(&'static str, Value)>,
    pub prompts: &'static [Prompt],
    /// Completes arguments of prompts and resources.
    pub complete: Option<Complete>,
}

impl Tools {
    /// Marks every answer as untrusted: others may have written what is in it.
    pub(super) fn marks(&self) -> MetaObject {
        let confidentiality = if self.is_private { "private" } else { "public" };
        let mut meta = Map::new();
        meta.insert("service/content_is_untrusted".to_owned(), true.into());
        meta.insert("ifc".to_owned(), json!({"integrity": "untrusted", "confidentiality": confidentiality}));
        MetaObject(meta)
    }
}
