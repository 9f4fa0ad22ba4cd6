//! The rules, held against small trees of sources.

use std::{fs, path::Path};

use crate::{
    resolve::{Arrow, arrows},
    rooms::{self, Circle},
    rules::{Offence, assert_none, between_services, circular, from_root, upward},
};

const FLOORS: &[&[&str]] = &[&["base"], &["http"], &["once", "jobs"]];

/// A crate of two floors, to which each test adds what it is about.
const TREE: &[(&str, &str)] = &[
    ("lib.rs", "pub mod base;\npub mod http;\npub use base::clock::Clock;"),
    ("base/mod.rs", "pub mod clock;\npub mod id;\npub use id::Id;"),
    ("base/clock.rs", "pub struct Clock;"),
    ("base/id.rs", "pub struct Id;"),
    ("http/mod.rs", "pub mod edge;\npub use edge::Edge;"),
    ("http/edge.rs", "use crate::base::{Id, clock::Clock};\npub struct Edge(Id, Clock);"),
];

fn arrows_with(files: &[(&str, &str)]) -> Vec<Arrow> {
    let workspace = tempfile::tempdir().expect("a folder");
    for (file, source) in TREE.iter().chain(files) {
        let file = workspace.path().join("src").join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, source).expect("a file");
    }
    arrows(workspace.path(), Path::new("src/lib.rs")).expect("readable sources")
}

fn lines(offences: &[Offence]) -> Vec<&str> {
    offences.iter().map(|offence| offence.line.lines().next().unwrap_or_default()).collect()
}

fn upward_with(files: &[(&str, &str)]) -> Vec<Offence> {
    upward(Path::new("src"), FLOORS, &arrows_with(files))
}

#[test]
fn imports_of_lower_floors_and_of_the_own_folder_are_no_offence() {
    let arrows = arrows_with(&[("base/id.rs", "use super::clock::Clock;\npub struct Id(Clock);")]);
    assert!(upward(Path::new("src"), FLOORS, &arrows).is_empty());
    assert!(circular(&arrows).is_empty());
    assert!(from_root(&arrows).is_empty());
    let of_edge = arrows.iter().filter(|arrow| arrow.from.ends_with("edge.rs") && arrow.text.starts_with("use "));
    let resolved: Vec<_> = of_edge.map(|arrow| (arrow.text.as_str(), arrow.to.to_str())).collect();
    let expected =
        [("use crate::base::Id", Some("src/base/id.rs")), ("use crate::base::clock::Clock", Some("src/base/clock.rs"))];
    assert_eq!(resolved, expected);
}

#[test]
fn an_upward_import_is_found_with_its_line() {
    let offences = upward_with(&[("base/id.rs", "//! Ids.\n\nuse crate::http::Edge;\npub struct Id(Edge);")]);
    assert_eq!(lines(&offences)[0], "src/base/id.rs:3: use crate::http::Edge");
    assert_eq!(offences[0].key, "src/base/id.rs → src/http/edge.rs");
}

#[test]
fn an_upward_path_without_a_use_is_found_also_in_a_macro_and_through_an_alias() {
    let offences = upward_with(&[
        ("base/clock.rs", "pub struct Clock;\nfn f() { crate::http::edge::g() }"),
        ("base/id.rs", "use crate::http as web;\npub struct Id;\nfn f() { println!(\"{}\", web::edge::LIMIT) }"),
    ]);
    assert_eq!(lines(&offences), ["src/base/clock.rs:2: crate::http::edge::g", "src/base/id.rs:3: web::edge::LIMIT"]);
}

#[test]
fn a_lower_file_named_through_a_higher_module_is_an_upward_import() {
    let http = ("http/mod.rs", "pub mod edge;\npub use crate::base::clock::Clock;");
    let offences = upward_with(&[http, ("base/id.rs", "use crate::http::Clock;\npub struct Id(Clock);")]);
    assert_eq!(lines(&offences)[0], "src/base/id.rs:1: use crate::http::Clock");
}

#[test]
fn folders_of_one_floor_do_not_import_one_another() {
    let lib = ("lib.rs", "pub mod base;\npub mod http;\nmod jobs;\nmod once;");
    let offences = upward_with(&[
        lib,
        ("jobs/mod.rs", "pub struct Job;"),
        ("once/mod.rs", "use crate::jobs::Job;\nfn f(_: Job) {}"),
    ]);
    assert_eq!(lines(&offences)[0], "src/once/mod.rs:1: use crate::jobs::Job");
}

#[test]
fn what_tests_import_counts_for_nothing() {
    let source = "pub struct Id;\n#[cfg(test)]\nmod tests {\n    use crate::http::Edge;\n}\n#[cfg(test)]\nuse crate::http::edge;";
    assert!(upward_with(&[("base/id.rs", source)]).is_empty());
}

#[test]
fn a_circle_of_files_is_found_through_reexports() {
    let arrows = arrows_with(&[
        ("base/clock.rs", "use super::Id;\npub struct Clock(Id);"),
        ("base/id.rs", "use crate::base::clock;\npub struct Id;\nfn now() -> clock::Clock { todo!() }"),
    ]);
    let offences = circular(&arrows);
    let keys: Vec<&str> = offences.iter().map(|offence| offence.key.as_str()).collect();
    assert!(keys.contains(&"src/base/clock.rs → src/base/id.rs"), "{keys:?}");
    assert!(keys.contains(&"src/base/id.rs → src/base/clock.rs"), "{keys:?}");
    assert!(offences[0].line.ends_with("a circle: back by src/base/id.rs → src/base/clock.rs"), "{}", offences[0].line);
}

#[test]
fn a_module_that_only_declares_is_in_no_circle_and_one_that_defines_is() {
    let id = ("base/id.rs", "use super::Zone;\npub struct Id(Zone);");
    let defines = ("base/mod.rs", "pub mod clock;\npub mod id;\npub use id::Id;\npub struct Zone;");
    assert!(circular(&arrows_with(&[defines, id])).is_empty());
    let uses = ("base/mod.rs", "pub mod clock;\npub mod id;\npub use id::Id;\npub struct Zone;\nfn f(_: Id) {}");
    assert_eq!(lines(&circular(&arrows_with(&[uses, id])))[0], "src/base/id.rs:1: use super::Zone");
}

#[test]
fn a_name_from_the_crates_root_is_found_unless_it_is_an_exported_macro() {
    let edge = ("http/edge.rs", "use crate::{Clock, on_each};\npub struct Edge(Clock);");
    let id = ("base/id.rs", "pub struct Id;\n#[macro_export]\nmacro_rules! on_each { () => {} }");
    let arrows = arrows_with(&[edge, id]);
    let offences = from_root(&arrows);
    assert_eq!(lines(&offences), ["src/http/edge.rs:1: use crate::Clock"]);
    assert_eq!(offences[0].key, "src/http/edge.rs → crate::Clock");
    assert!(arrows.iter().any(|arrow| arrow.text == "use crate::on_each" && arrow.to.ends_with("id.rs")));
}

/// `http` imports `base`, and `base` imports `http` through another file: no circle of files.
fn circles_with(files: &[(&str, &str)]) -> Vec<Circle> {
    let both = [("base/id.rs", "use crate::http::status::Status;\npub struct Id(Status);")];
    let arrows = arrows_with(&[&both, files].concat());
    assert!(circular(&arrows).is_empty());
    rooms::circles(&arrows)
}

const STATUS: (&str, &str) = ("http/status.rs", "pub struct Status;");
const HTTP: (&str, &str) = ("http/mod.rs", "pub mod edge;\npub mod status;\npub use edge::Edge;");

#[test]
fn a_circle_of_rooms_is_found_where_no_files_form_a_circle() {
    let circles = circles_with(&[STATUS, HTTP]);
    let [circle] = &circles[..] else { panic!("{circles:?}") };
    assert_eq!(circle.parent, Path::new("src"));
    assert_eq!(circle.rooms, ["base", "http"]);
    let [cheapest, other] = &circle.arrows[..] else { panic!("{circle:?}") };
    assert!(cheapest.starts_with("base → http: src/base/id.rs:1 use crate::http::status::Status"), "{cheapest}");
    assert!(other.starts_with("http → base: src/http/edge.rs:1 use crate::base::Id and "), "{other}");
}

#[test]
fn a_loose_file_beside_folders_is_a_room() {
    let lib = ("lib.rs", "pub mod base;\npub mod http;\nmod codes;");
    let codes = ("codes.rs", "use crate::base::clock::Clock;\npub struct Code(Clock);");
    let id = ("base/id.rs", "use crate::codes::Code;\npub struct Id(Code);");
    let circles = rooms::circles(&arrows_with(&[lib, codes, id]));
    assert_eq!(circles.iter().map(|circle| &circle.rooms[..]).collect::<Vec<_>>(), [["base", "codes.rs"]]);
}

#[test]
fn rooms_below_the_first_level_are_checked_too() {
    let http = ("http/mod.rs", "pub mod edge;\npub mod a;\npub mod b;\npub use edge::Edge;");
    let circles = rooms::circles(&arrows_with(&[
        http,
        ("http/a/mod.rs", "pub mod one;\npub mod two;"),
        ("http/a/one.rs", "use crate::http::b::one::B;\npub struct A(B);"),
        ("http/a/two.rs", "pub struct Two;"),
        ("http/b/mod.rs", "pub mod one;\npub mod two;"),
        ("http/b/one.rs", "pub struct B;"),
        ("http/b/two.rs", "use super::super::a::two::Two;\nfn f(_: Two) {}"),
    ]));
    assert_eq!(circles.len(), 1, "{circles:?}");
    assert_eq!((circles[0].parent.to_str(), &circles[0].rooms[..]), (Some("src/http"), &["a".into(), "b".into()][..]));
}

#[test]
fn rooms_that_import_one_way_form_no_circle() {
    assert_eq!(rooms::circles(&arrows_with(&[])), []);
}

#[test]
fn a_circle_of_rooms_is_an_offence_unless_an_exception_names_all_its_rooms() {
    let circles = circles_with(&[STATUS, HTTP]);
    assert_eq!(lines(&rooms::offences(&circles, &[])), ["src: base, http: a circle of rooms"]);
    assert!(rooms::offences(&circles, &[("src", &["base", "http"])]).is_empty());
    let elsewhere = rooms::offences(&circles, &[("other/src", &["base", "http"])]);
    assert_eq!(elsewhere.len(), 3, "{elsewhere:?}");
}

#[test]
fn an_exception_that_is_no_longer_needed_is_an_offence() {
    let circles = circles_with(&[STATUS, HTTP]);
    let offences = rooms::offences(&circles, &[("src", &["base", "http", "jobs"])]);
    assert_eq!(lines(&offences), ["src: jobs is in no circle of rooms: remove it from the exceptions"]);
}

#[test]
fn services_do_not_depend_on_one_another() {
    let folders = ["cloud-svc", "trust-svc", "trust-svc/log", "shared-model", "devstack"];
    let crates = folders.map(|folder| (folder.replace("trust-svc/log", "trust-log"), folder.into()));
    let manifest = "[dependencies]\ntrust-svc.workspace = true\ntrust-log = \"1\"\ntrust-svc-x = \"1\"\n";
    let offences = |file| between_services(&crates, Path::new(file), manifest);
    let expected = ["cloud-svc/Cargo.toml:2: trust-svc.workspace = true", "cloud-svc/Cargo.toml:3: trust-log = \"1\""];
    assert_eq!(lines(&offences("cloud-svc/Cargo.toml")), expected);
    assert_eq!(offences("cloud-svc/content/Cargo.toml").len(), 2);
    assert!(offences("trust-svc/log/Cargo.toml").is_empty());
    assert!(offences("devstack/Cargo.toml").is_empty());
}

#[test]
fn imports_without_an_offence_pass() {
    assert_none(&upward_with(&[("http/edge.rs", "use crate::base::Clock;\npub struct Edge(Clock);")]));
}

#[test]
#[should_panic(expected = "src/base/id.rs:1: use crate::http::Edge")]
fn an_offence_fails_with_its_line() {
    assert_none(&upward_with(&[("base/id.rs", "use crate::http::Edge;\npub struct Id(Edge);")]));
}
