//! Tables and lists of Markdown.

use shared_runtime::service::Service;

/// A table; cells may contain `|`.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.iter().map(|&cell| cell.to_owned()).collect());
    text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    for row in rows {
        text.push_str(&line(row.iter().map(|cell| cell.replace('|', "\\|")).collect()));
    }
    text
}

pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Words in code marks, separated by commas.
pub fn codes<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// `all`, or the names of the services for which this is true.
pub fn names(services: &[Service], is_of: impl Fn(&Service) -> bool) -> String {
    let names: Vec<_> = services.iter().filter(|service| is_of(service)).map(|service| service.surface.name).collect();
    if names.len() == services.len() { "all".to_owned() } else { names.join(", ") }
}
