//! Versions and their differences.

use serde_json::Value;
use shared_runtime::mcp::Written;

use super::{items, line, minute, preview, table, text, who};

pub(in super::super) fn list(body: &Value) -> Option<Written> {
    let row = |version: &Value| {
        let (at, bytes) = (minute(version, "created_at"), version["bytes"].to_string());
        let origin = ["plan_id", "restored_from"].iter().find_map(|name| version[*name].as_str()).unwrap_or_default();
        line([text(version, "id"), &at, &bytes, who(&version["actor"]), origin])
    };
    Some(table(body, "version_id\tat\tbytes\tby\tfrom", items(body).map(row)))
}

pub(in super::super) fn comparison(body: &Value) -> Option<Written> {
    let changes = preview::changes(body.get("changes")?);
    let written = Written::default();
    if changes.is_empty() {
        return Some(written.line("No difference."));
    }
    Some(written.quoting(changes))
}

/// Runs of parts, a line each.
pub(in super::super) fn authorship(body: &Value) -> Option<Written> {
    let row = |run: &Value| {
        let at = run["at"].as_str().map(|_| minute(run, "at")).unwrap_or_default();
        let by = |member: &str| run[member].as_object().map(|_| who(&run[member])).unwrap_or_default();
        let version = run["version_id"].as_str().unwrap_or("unknown");
        let others = run["co_authors"].as_array().into_iter().flatten().map(who);
        let authors: Vec<_> = [by("author")].into_iter().chain(others).collect();
        line([text(run, "where"), version, &at, &authors.join(", "), by("approved_by")])
    };
    Some(table(body, "where\tversion_id\tat\tby\tapproved_by", items(body).map(row)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::authorship;

    #[test]
    fn every_author_of_a_part_is_named() {
        let run = json!({
            "where": "b1", "version_id": "ver_2", "at": null, "author": {"id": "h", "display_name": "Helper"},
            "co_authors": [{"id": "a", "display_name": "Ada"}], "approved_by": null,
        });
        let written = authorship(&json!({"items": [run]})).expect("a text");
        assert!(written.quoted.ends_with("\nb1\tver_2\t\tHelper, Ada\t"), "{}", written.quoted);
    }
}
