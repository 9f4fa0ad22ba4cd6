//! Pages for people.

mod cells;
mod choosing;
mod commenting;
mod contents;
mod deciding;
mod editing;
mod files;
mod german;
mod hostile;
mod listed_proposals;
mod long;
mod moved_cells;
mod other_cells;
mod proposals;
mod refused_proposals;
mod scripted;
mod seeing;
mod writing;

use shared_testing::html;

/// The hidden fields of the form that is submitted to this path, as a browser sends them.
#[track_caller]
fn hidden_fields(page: &str, action: &str) -> Vec<(String, String)> {
    let form = page.split_once(&format!("<form method=\"post\" action=\"{action}\"")).expect("a form").1;
    let form = form.split_once("</form>").expect("its end").0;
    let field = |input: &str| {
        let (name, rest) = input.split_once("\" value=\"").expect("a value");
        (name.to_owned(), html::unescaped(rest.split_once('"').expect("its end").0).replace('\n', "\r\n"))
    };
    form.split("<input type=\"hidden\" name=\"").skip(1).map(field).collect()
}
