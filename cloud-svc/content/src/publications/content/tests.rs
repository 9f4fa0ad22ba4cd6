//! The rules of publication content.

use serde_json::{Value, json};
use shared_model::json_reader;

use super::{Page, PublicationContent};
use crate::{
    canvas::{markdown::markdown, outline::outline},
    test_support::{
        canvas_checks::{self, problems},
        canvas_plans::element,
    },
};

fn page() -> Value {
    json!({"id": "p", "name": "n", "size": "a4", "orientation": "portrait", "background": "#ffffff", "elements": []})
}

fn with(elements: &Value) -> Value {
    let mut page = page();
    page["elements"] = elements.clone();
    json!({"pages": [page]})
}

#[test]
fn the_canonical_form_has_one_order_and_its_constants() {
    let mut sent = with(&json!([element("e", "é")]));
    sent["pages"][0]["elements"][0]["x"] = json!(12.0);
    let content: PublicationContent = json_reader::read(&sent).expect("accepted");
    let stored = serde_json::to_string(&content).expect("JSON");
    assert_eq!(
        stored,
        concat!(
            r#"{"format":"service/publish-native","schemaVersion":1,"pages":[{"id":"p","name":"n","size":"a4","#,
            r##""orientation":"portrait","background":"#ffffff","elements":["##,
            r##"{"id":"e","type":"text","x":12,"y":1.5,"w":50,"h":20,"rotation":-0.1,"text":"é","fill":"#FFffff","##,
            r##""color":"#000000","fontSize":12,"align":"left","weight":400}"##,
            "]}]}"
        )
    );
    let again: PublicationContent = serde_json::from_str(&stored).expect("stored content");
    assert_eq!(again, content);
    assert!(problems::<PublicationContent>(&serde_json::to_value(&content).expect("JSON")).is_empty());
}

#[test]
fn constants_are_what_they_are() {
    let problems = |format: Value, version: Value| {
        let mut content = with(&json!([]));
        (content["format"], content["schemaVersion"]) = (format, version);
        problems::<PublicationContent>(&content)
    };
    assert!(problems(json!("service/publish-native"), json!(1)).is_empty());
    assert_eq!(problems(json!("service/other"), json!(2)), ["/format", "/schemaVersion"]);
    assert_eq!(problems(json!(null), json!(1.0)), ["/format", "/schemaVersion"]);
}

#[test]
fn members_and_parts_are_bounded() {
    canvas_checks::members_of_an_element_are_bounded::<PublicationContent, Page>(&page());
    canvas_checks::ids_are_unique_among_all_parts::<PublicationContent, Page>(&page());
    canvas_checks::counts_and_bytes_are_bounded::<PublicationContent, Page>(&page(), 24);
    canvas_checks::absent_ids_count_as_those_that_are_given::<PublicationContent, Page>(&page());
    let problems = |member: &str, value: Value| {
        let mut content = with(&json!([]));
        content["pages"][0][member] = value;
        problems::<PublicationContent>(&content)
    };
    assert!(problems("name", json!("é".repeat(60))).is_empty());
    for (member, value) in [
        ("name", json!("é".repeat(61))),
        ("size", json!("a5")),
        ("orientation", json!("up")),
        ("background", json!("white")),
    ] {
        assert_eq!(problems(member, value), [format!("/pages/0/{member}")]);
    }
}

#[test]
fn outline_and_markdown_go_from_page_to_page() {
    let mut content = with(&json!([element("a", " "), element("b", "# One\ntwo")]));
    content["pages"][0]["name"] = json!("Front *1*");
    content["pages"].as_array_mut().expect("a list").push(page());
    content["pages"][1]["id"] = json!("q");
    let content: PublicationContent = json_reader::read(&content).expect("accepted");
    assert_eq!(
        serde_json::to_value(outline(&content.pages)).expect("JSON"),
        json!([
            {"page_id": "p", "name": "Front *1*", "elements": 2, "text": "# One two"},
            {"page_id": "q", "name": "n", "elements": 0, "text": ""}
        ])
    );
    assert_eq!(markdown(&content.pages), "## Front \\*1\\*\n\n&#32;\n\n\\# One\\\ntwo\n\n## n\n");
}
