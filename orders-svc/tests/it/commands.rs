//! `orders-svc` at the command line, beside a service that runs on the same database.

use std::process::{Command, Output};

use shared_testing::{Stage, run};

use crate::samples::{order, path, stage_with};

fn orders(stage: &Stage, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orders-svc"))
        .args(arguments)
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
fn the_operator_closes_and_opens_ordering_while_the_service_runs() {
    run(async {
        let stage = stage_with(&[order("ada", 1)]).await;
        let ada = stage.caller("ada");
        for (command, status) in [("close", 403), ("close", 403), ("open", 200)] {
            let output = orders(&stage, &["ordering", command]);
            assert!(output.status.success(), "{}", told(&output));
            ada.get(path(1)).await.status(status);
        }
    });
}

#[test]
fn an_import_with_a_bad_line_names_it_and_exits_with_one() {
    run(async {
        let stage = stage_with(&[]).await;
        let file = stage.folder().join("orders.jsonl");
        std::fs::write(&file, format!("{}\nnonsense\n", order("ada", 1))).expect("the file is written");
        let output = orders(&stage, &["import", &file.display().to_string()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(told(&output).contains("line 2: "), "{}", told(&output));
        assert!(told(&output).contains("1 added, 0 replaced, 0 unchanged, 1 refused"), "{}", told(&output));
        stage.caller("ada").get(path(1)).await.status(200);
    });
}
