//! The rules of presentation content.

use serde_json::{Value, json};
use shared_model::json_reader;

use super::{PresentationContent, Slide};
use crate::{
    canvas::{markdown::markdown, outline::outline},
    test_support::{
        canvas_checks::{self, problems},
        canvas_plans::element,
    },
};

fn slide() -> Value {
    json!({"id": "p", "name": "n", "background": "#ffffff", "elements": [], "notes": ""})
}

fn with(elements: &Value) -> Value {
    let mut slide = slide();
    slide["elements"] = elements.clone();
    json!({"slides": [slide]})
}

#[test]
fn the_canonical_form_has_one_order_and_its_constants() {
    let mut sent = with(&json!([element("e", "é")]));
    sent["slides"][0]["elements"][0]["x"] = json!(12.0);
    let content: PresentationContent = json_reader::read(&sent).expect("accepted");
    let stored = serde_json::to_string(&content).expect("JSON");
    assert_eq!(
        stored,
        concat!(
            r##"{"format":"service/slides-native","schemaVersion":1,"aspect":"16:9","slides":[{"id":"p","name":"n","##,
            r##""background":"#ffffff","elements":["##,
            r##"{"id":"e","type":"text","x":12,"y":1.5,"w":50,"h":20,"rotation":-0.1,"text":"é","fill":"#FFffff","##,
            r##""color":"#000000","fontSize":12,"align":"left","weight":400}"##,
            r#"],"notes":""}]}"#
        )
    );
    let again: PresentationContent = serde_json::from_str(&stored).expect("stored content");
    assert_eq!(again, content);
    assert!(problems::<PresentationContent>(&serde_json::to_value(&content).expect("JSON")).is_empty());
}

#[test]
fn constants_are_what_they_are() {
    let problems = |format: Value, version: Value| {
        let mut content = with(&json!([]));
        (content["format"], content["schemaVersion"]) = (format, version);
        problems::<PresentationContent>(&content)
    };
    assert!(problems(json!("service/slides-native"), json!(1)).is_empty());
    assert_eq!(problems(json!("service/other"), json!(2)), ["/format", "/schemaVersion"]);
    assert_eq!(problems(json!(null), json!(1.0)), ["/format", "/schemaVersion"]);
}

#[test]
fn members_and_parts_are_bounded() {
    canvas_checks::members_of_an_element_are_bounded::<PresentationContent, Slide>(&slide());
    canvas_checks::ids_are_unique_among_all_parts::<PresentationContent, Slide>(&slide());
    canvas_checks::counts_and_bytes_are_bounded::<PresentationContent, Slide>(&slide(), 60);
    canvas_checks::absent_ids_count_as_those_that_are_given::<PresentationContent, Slide>(&slide());
    let problems = |member: &str, value: Value| {
        let mut content = with(&json!([]));
        content["slides"][0][member] = value;
        problems::<PresentationContent>(&content)
    };
    assert!(problems("name", json!("é".repeat(60))).is_empty());
    for (member, value) in
        [("name", json!("é".repeat(61))), ("background", json!("#fff")), ("notes", json!("a".repeat(5_001)))]
    {
        assert_eq!(problems(member, value), [format!("/slides/0/{member}")]);
    }
}

#[test]
fn outline_and_markdown_go_from_slide_to_slide() {
    let mut content = with(&json!([element("a", " "), element("b", "# One\ntwo")]));
    content["slides"][0]["name"] = json!("Front *1*");
    content["slides"][0]["notes"] = json!("say\nthis");
    content["slides"].as_array_mut().expect("a list").push(slide());
    content["slides"][1]["id"] = json!("q");
    let content: PresentationContent = json_reader::read(&content).expect("accepted");
    assert_eq!(
        serde_json::to_value(outline(&content.slides)).expect("JSON"),
        json!([
            {"slide_id": "p", "name": "Front *1*", "elements": 2, "text": "# One two"},
            {"slide_id": "q", "name": "n", "elements": 0, "text": ""}
        ])
    );
    assert_eq!(markdown(&content.slides), "## Front \\*1\\*\n\n&#32;\n\n\\# One\\\ntwo\n\n> say\\\n> this\n\n## n\n");
}

#[test]
fn aspect_and_notes_have_defaults() {
    let mut content = with(&json!([]));
    content["aspect"] = json!("4:3");
    content["slides"][0].as_object_mut().expect("an object").remove("notes");
    let read: PresentationContent = json_reader::read(&content).expect("accepted");
    let stored = serde_json::to_value(&read).expect("JSON");
    assert_eq!((&stored["aspect"], &stored["slides"][0]["notes"]), (&json!("4:3"), &json!("")));
    content["aspect"] = json!("3:2");
    assert_eq!(problems::<PresentationContent>(&content), ["/aspect"]);
}
