//! Whether new content of a file would have a warning of high severity if it were a plan.

use shared_model::{Error, Failure};
use shared_runtime::Conn;

use crate::{
    files::{file::File, protection},
    workspace::{link_domains, risk_rules},
};
use cloud_content::{
    content::Content as _,
    hidden_text::{self, added::added_warnings},
    large_deletion::large_deletion,
    of_kind,
    preview::Severity,
    protection::touched,
};

/// Compares two stored contents of the file.
pub fn is_risky(conn: &mut Conn, file: &File, before: &str, after: &str) -> Result<bool, Error> {
    let compared = of_kind!(file.kind, C => {
        let (before, after): (C, C) = (parsed(before)?, parsed(after)?);
        let known = link_domains::known(conn, file.workspace_id, &hidden_text::link_domains(&after))?;
        let mut warnings = added_warnings(&before, &after, &[], |domain| known.contains(domain));
        warnings.extend(large_deletion(&before, &after, None));
        risk_rules::store::find(conn, file.workspace_id)?.warn(&before, &after, None, &mut warnings);
        let places = protection::store::places(conn, file.id)?;
        let is_protected = !touched(&before, &after, None, &places).is_empty();
        is_protected || before.loses_references(&after) || warnings.iter().any(|warning| warning.severity == Severity::High)
    });
    Ok(compared.unwrap_or_default())
}

fn parsed<C: serde::de::DeserializeOwned>(content: &str) -> Result<C, Failure> {
    Ok(serde_json::from_str(content)?)
}
