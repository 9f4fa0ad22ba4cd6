//! Codes that operations refuse with, and what a program does next.

use maud::{Markup, html};
use serde_json::Value;
use shared_model::Code;

use super::types::plain;
use crate::pages::layout::scrollable;

/// Every code of a service, by status.
pub fn of_service(mut codes: Vec<&Code>) -> Markup {
    codes.sort_by_key(|code| (code.status, code.name));
    let rows = codes.into_iter().map(|code| Row {
        status: code.status.to_string(),
        code: code.name.to_owned(),
        message: code.sentence.to_owned(),
        next: code.next.types().iter().map(|&name| name.to_owned()).collect(),
    });
    table("Error codes", rows.collect())
}

/// The refusals of an operation, as the examples of its answers have them.
pub fn of_operation(answers: &[(&String, &Value)]) -> Markup {
    let mut rows = Vec::new();
    for (status, answer) in answers {
        let examples = answer["content"]["application/json"]["examples"].as_object();
        for error in examples.into_iter().flatten().map(|(_, example)| &example["value"]["error"]) {
            rows.push(Row {
                status: (*status).clone(),
                code: plain(&error["code"]),
                message: plain(&error["message"]),
                next: vec![error["next_action"].to_string()],
            });
        }
    }
    table("Refusals", rows)
}

struct Row {
    status: String,
    code: String,
    message: String,
    next: Vec<String>,
}

fn table(label: &str, rows: Vec<Row>) -> Markup {
    scrollable(
        label,
        html! {
            table {
                caption.hidden { (label) }
                thead {
                    tr {
                        th scope="col" { "Status" }
                        th scope="col" { "Code" }
                        th scope="col" { "Message" }
                        th scope="col" { "Next action" }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            td { (row.status) }
                            th scope="row" { code { (row.code) } }
                            td { (row.message) }
                            td { @for (at, next) in row.next.iter().enumerate() { @if at > 0 { " or " } code { (next) } } }
                        }
                    }
                }
            }
        },
    )
}
