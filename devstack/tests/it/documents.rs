//! docs/: every next action has a row, links lead somewhere, lines are short, JSON is JSON.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;
use shared_testing::sources;

use crate::{
    services,
    walkthroughs::{blocks, repository},
};

fn page(path: &str) -> String {
    fs::read_to_string(repository().join("docs").join(path)).unwrap_or_else(|error| panic!("docs/{path}: {error}"))
}

#[test]
fn every_type_of_next_action_is_in_the_table() {
    let document: Value = serde_json::from_str(&services()[0].openapi()).expect("the document is JSON");
    let guide = page("guides/errors-and-retries.md");
    let types = &document["components"]["schemas"]["NextAction"]["discriminator"]["mapping"];
    for name in types.as_object().expect("a schema for each").keys() {
        let row = format!("| `{name}` |");
        assert!(guide.contains(&row), "docs/guides/errors-and-retries.md lacks a row that begins with\n{row}");
    }
}

/// The lines of a page that are not in blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        is_code ^= line.starts_with("```");
        !is_code && !line.starts_with("```")
    })
}

/// The anchors of a page, as GitHub makes them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    headings.map(|heading| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut broken = Vec::new();
    for path in sources::with_extension(&repository(), "md") {
        let text = fs::read_to_string(&path).expect("a page");
        let links = prose(&text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            let text = || fs::read_to_string(&target).unwrap_or_default();
            if !target.exists() || !anchor.is_empty() && !anchors(&text()).contains(anchor) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "these links have no target:\n{}", broken.join("\n"));
}

#[test]
fn every_guide_is_shown_by_a_service() {
    let shown = page("lib.rs");
    for guide in sources::with_extension(&repository().join("docs/guides"), "md") {
        let name = guide.file_stem().and_then(|name| name.to_str()).expect("a name");
        let is_index = name == "README";
        assert!(is_index || shown.contains(&format!("\"guides/{name}\"")), "docs/lib.rs shows no guides/{name}");
    }
}

#[test]
fn lines_of_documents_have_at_most_120_columns() {
    for path in sources::with_extension(&repository(), "md") {
        let text = fs::read_to_string(&path).expect("a page");
        // A row of a table cannot be broken.
        let long = text.lines().find(|line| line.chars().count() > 120 && !line.starts_with('|'));
        assert!(long.is_none(), "{}: {long:?}", path.display());
    }
}

/// Each page of the repository that has blocks in this language, with them.
fn with_blocks(language: &str) -> Vec<(String, Vec<String>)> {
    let root = repository();
    let page = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a page");
        let blocks: Vec<_> = blocks(&text, language).into_iter().map(str::to_owned).collect();
        (path.strip_prefix(&root).expect("below the root").display().to_string(), blocks)
    };
    sources::with_extension(&root, "md").into_iter().map(page).filter(|(_, blocks)| !blocks.is_empty()).collect()
}

#[test]
fn json_of_documents_can_be_parsed() {
    let pages = with_blocks("json");
    assert!(pages.iter().any(|(page, _)| page == "docs/guides/mcp.md"), "{pages:?}");
    for (page, blocks) in pages {
        for block in blocks {
            let parsed = serde_json::from_str::<Value>(&block);
            assert!(parsed.is_ok(), "{page}: {parsed:?}\n{block}");
        }
    }
}

#[test]
fn python_and_typescript_of_documents_is_run_by_tests_of_the_clients() {
    for (language, test) in [("python", "python/tests/test_guide.py"), ("ts", "typescript/tests/guide.ts")] {
        let test = fs::read_to_string(repository().join("clients").join(test)).expect("a test");
        for (page, blocks) in with_blocks(language) {
            assert!(blocks.len() == 1 && test.contains(&page), "no test runs {language} of {page}: {blocks:?}");
        }
    }
    for language in ["py", "typescript", "js", "javascript"] {
        assert!(with_blocks(language).is_empty(), "{language} has another name in documents");
    }
}

/// Whether this is the path of a source file or folder: `http/edge/`, not `RESOURCE/VERB.rs`.
fn is_source(word: &str) -> bool {
    let is_path = word.trim_end_matches('/').contains('/') && (word.ends_with('/') || word.ends_with(".rs"));
    is_path && !word.contains(' ') && !word.contains(char::is_uppercase)
}

#[test]
fn every_source_that_architecture_and_crates_name_exists() {
    let root = repository();
    let entries = fs::read_dir(&root).expect("a folder").map(|entry| entry.expect("an entry").path());
    let crates: Vec<_> = entries.filter(|path| path.join("src").is_dir()).collect();
    let starts: Vec<_> = crates.iter().flat_map(|it| [it.clone(), it.join("src")]).chain([root.clone()]).collect();
    let pages = crates.iter().map(|it| it.join("README.md")).chain([root.join("ARCHITECTURE.md")]);
    let mut missing = Vec::new();
    for page in pages.filter(|page| page.exists()) {
        let text = fs::read_to_string(&page).expect("a page");
        let words = prose(&text).flat_map(|line| line.split('`').skip(1).step_by(2));
        for word in words.filter(|word| is_source(word)) {
            if !starts.iter().any(|start| start.join(word).exists()) {
                missing.push(format!("{}: {word}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "these sources do not exist:\n{}", missing.join("\n"));
}

/// Whether the code has tests of this name, and all of them run. Attributes are in the lines above a function.
fn has_test(code: &str, name: &str) -> bool {
    let runs = |(at, _): (usize, &str)| {
        let above = code[..at].rsplit('\n').skip(1).map(str::trim);
        let attributes: Vec<&str> = above.take_while(|line| line.starts_with("#[")).collect();
        let is_test = |line: &&str| *line == "#[test]" || line.contains("::test]") || line.contains("::test(");
        attributes.iter().any(is_test) && !attributes.iter().any(|line| line.starts_with("#[ignore"))
    };
    let function = format!("fn {name}(");
    let mut found = code.match_indices(&function).map(runs).peekable();
    found.peek().is_some() && found.all(|runs| runs)
}

#[test]
fn every_test_that_the_threat_model_names_exists_and_runs() {
    let files = sources::with_extension(&repository(), "rs");
    let code: String = files.iter().map(|file| fs::read_to_string(file).expect("a source")).collect();
    let page = page("threat-model.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.ends_with("` |"));
    let named: Vec<&str> =
        rows.flat_map(|row| row.split('`').skip(1).step_by(2)).filter(|name| name.contains('_')).collect();
    assert!(named.len() > 40, "{named:?}");
    let missing: Vec<_> = named.into_iter().filter(|name| !has_test(&code, name)).collect();
    assert!(missing.is_empty(), "these tests do not exist, or do not run: {missing:?}");
}
