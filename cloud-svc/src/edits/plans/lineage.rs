//! What a plan was derived from, and by whom.

use serde::{Deserialize, Serialize};
use shared_model::Failure;
use shared_runtime::identity::Actor;
use utoipa::ToSchema;

use crate::base::{author::Author, ids::PlanId};
use cloud_content::change_id::ChangeId;

shared_model::text_enum! {
    /// How a plan was derived from another.
    pub enum DerivedBy {
        /// It makes some of the changes.
        Split = "split",
        /// A reviewer added edits of their own.
        Amendment = "amendment",
        /// Its author proposed other edits in the place of the first ones.
        Revision = "revision",
    }
}

/// What the database stores of it, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lineage {
    pub how: Option<DerivedBy>,
    /// Who derived it.
    pub by: Option<Actor>,
    /// Which changes of the other plan it makes, if it is a part of it.
    pub changes: Vec<ChangeId>,
    /// Who, besides the author, wrote some of the edits, or the edits before a revision.
    pub co_authors: Vec<CoAuthor>,
    pub revision: i64,
    /// The plan that took the place of this one, or the last of its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<PlanId>,
}

/// Somebody else who wrote edits of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CoAuthor {
    pub actor: Actor,
    /// The owner of the grant.
    pub subject: String,
}

/// What a plan was derived from.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Derivation {
    pub plan_id: PlanId,
    pub how: DerivedBy,
    pub by: Actor,
    /// The changes of that plan that this one makes, if it is a part. Otherwise empty.
    #[schema(max_items = 20_000)]
    pub changes: Vec<ChangeId>,
}

impl Lineage {
    /// That of a plan which is derived from no other.
    pub fn first() -> Self {
        Self { how: None, by: None, changes: Vec::new(), co_authors: Vec::new(), revision: 1, superseded_by: None }
    }

    /// That of a plan which `by` derives from a plan with this lineage.
    pub fn derive(&self, how: DerivedBy, by: &Author) -> Self {
        let by = Some(by.actor.clone());
        Self { how: Some(how), by, changes: Vec::new(), superseded_by: None, ..self.clone() }
    }

    /// The text by which a stored lineage names this co-author, and nobody else.
    pub fn naming(actor: &Actor) -> Result<String, Failure> {
        let actor = Actor { display_name: String::new(), ..actor.clone() };
        let stored = serde_json::to_string(&CoAuthor { actor, subject: String::new() })?;
        // Without the name, which may have changed. An id cannot contain this end mark: JSON escapes quotation marks.
        Ok(stored.split(",\"display_name\"").next().unwrap_or_default().trim_start_matches('{').to_owned())
    }

    pub fn derivation(&self, from: PlanId) -> Option<Derivation> {
        let (how, by) = (self.how?, self.by.clone()?);
        Some(Derivation { plan_id: from, how, by, changes: self.changes.clone() })
    }
}

#[cfg(test)]
mod tests {
    use shared_runtime::identity::ActorKind;

    use super::*;

    fn actor(id: &str, name: &str) -> Actor {
        Actor { kind: ActorKind::User, id: id.to_owned(), display_name: name.to_owned() }
    }

    #[test]
    fn a_stored_lineage_names_its_co_authors_and_nobody_else() {
        let co_author = CoAuthor { actor: actor("bob\"1", "Bob"), subject: "bob".to_owned() };
        let lineage = Lineage { by: Some(actor("carol", "Carol")), co_authors: vec![co_author], ..Lineage::first() };
        let stored = serde_json::to_string(&lineage).expect("JSON");
        let names = |id: &str| stored.contains(&Lineage::naming(&actor(id, "Another name")).expect("a text"));
        assert!(names("bob\"1"), "{stored}");
        assert!(!names("bob") && !names("1") && !names("carol") && !names(""), "{stored}");
        let agent = Actor { kind: ActorKind::Agent, ..actor("bob\"1", "Bob") };
        assert!(!stored.contains(&Lineage::naming(&agent).expect("a text")));
    }
}
