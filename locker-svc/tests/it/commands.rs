//! `locker-svc` at the command line, beside a service that runs on the same database.

use std::process::{Command, Output};

use locker_svc::service;
use serde_json::json;
use shared_testing::{Stage, run};

use crate::samples;

fn locker(stage: &Stage, arguments: &[&str], text: &str) -> Output {
    let file = stage.folder().join("import");
    std::fs::write(&file, text).expect("the file is written");
    Command::new(env!("CARGO_BIN_EXE_locker-svc"))
        .args(arguments)
        .arg(&file)
        .env_clear()
        .env("DATABASE_URL", &stage.desk.settings.database_url)
        .env("SERVICE_SECRET", "0123456789abcdef0123456789abcdef")
        .output()
        .expect("the command runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_imported_catalogue_is_served_at_once() {
    run(async {
        let stage = Stage::of(service()).await;
        let output = locker(&stage, &["catalogue", "import"], &samples::catalogue().to_string());
        assert!(output.status.success(), "{}", told(&output));
        stage.anyone().get("/api/v1/catalogue").await.status(200);
    });
}

#[test]
fn a_bad_catalogue_changes_nothing_and_every_problem_is_told() {
    run(async {
        let stage = Stage::of(service()).await;
        let mut snapshot = samples::catalogue();
        snapshot["currency"] = json!("EUR");
        snapshot["products"][1]["sku"] = json!("room-s");
        let output = locker(&stage, &["catalogue", "import"], &snapshot.to_string());
        assert_eq!(output.status.code(), Some(1));
        for place in ["/currency", "/products/1"] {
            assert!(told(&output).contains(place), "{}", told(&output));
        }
        stage.anyone().get("/api/v1/catalogue").await.refused(503, "catalogue_unavailable");
    });
}

#[test]
fn an_import_with_a_bad_line_names_it_and_exits_with_one() {
    run(async {
        let stage = Stage::of(service()).await;
        let good = samples::subscription("ada", 1, 0).to_string();
        let output = locker(&stage, &["subscriptions", "import"], &format!("{good}\nnonsense\n"));
        assert_eq!(output.status.code(), Some(1));
        assert!(told(&output).contains("line 2: "), "{}", told(&output));
        let output = locker(&stage, &["subscriptions", "import"], &good);
        assert!(output.status.success(), "{}", told(&output));
        assert!(told(&output).contains("0 added, 0 replaced, 1 unchanged, 0 refused"), "{}", told(&output));
        let listed = stage.caller("ada").get("/api/v1/billing/subscriptions").await.status(200);
        assert_eq!(listed["data"].as_array().map(Vec::len), Some(1));
    });
}
