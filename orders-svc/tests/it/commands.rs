//! `orders-svc`, while a service runs on the same database.

use std::process::{Command, Output};

use shared_testing::{Stage, hostile_server::HostileServer};

use serde_json::{Value, json};

use crate::samples::{draft, id, order, path, stage_with};

fn command(stage: &Stage, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orders-svc"));
    command
        .args(arguments)
        .env_clear()
        .env("DATABASE_URL", &stage.context.settings.database_url)
        .env("SERVICE_SECRET", shared_testing::SERVICE_SECRET);
    command
}

fn orders(stage: &Stage, arguments: &[&str]) -> Output {
    command(stage, arguments).output().expect("the command runs")
}

fn response(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[shared_testing::test]
async fn the_operator_closes_and_opens_ordering_while_the_service_runs() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    for (command, status, said) in [("close", 403, "is closed"), ("close", 403, "is closed"), ("open", 200, "is open")]
    {
        let output = orders(&stage, &["ordering", command]);
        assert!(output.status.success(), "{}", response(&output));
        assert!(output.stdout.starts_with(format!("ordering {said}").as_bytes()), "{output:?}");
        ada.get(path(1)).await.status(status);
    }
}

#[shared_testing::test]
async fn a_mistake_is_reported_with_its_rule_and_an_unreachable_service_with_its_address() {
    let stage = stage_with(&[]).await;
    let output = orders(&stage, &["order", "move", "7", "paid"]);
    assert!(response(&output).contains("must be ord_ and 32 lowercase hex digits"), "{}", response(&output));
    // A port that was free just now.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens").to_string();
    drop(listener);
    let output = orders(&stage, &["healthcheck", "--ops-listen-addr", &address]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(response(&output), format!("error: connection refused at http://{address}/readyz\n"));
}

#[shared_testing::test]
async fn a_healthcheck_of_another_server_reports_its_status() {
    let stage = stage_with(&[]).await;
    for (status, body) in [
        ("404 Not Found", "<h1>Not here</h1>".to_owned()),
        ("503 Service Unavailable", r#"{"parts": {"database": "away: \u001b[2J"}}"#.to_owned()),
        ("500 Internal Server Error", "endless ".repeat(100_000)),
    ] {
        let server = HostileServer::http(move |stream, _| {
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes())
        });
        let address = server.address.to_string();
        let output = orders(&stage, &["healthcheck", "--ops-listen-addr", &address]);
        assert_eq!(output.status.code(), Some(1));
        let said = response(&output);
        assert!(said.ends_with(&format!("error: not ready: {status} at http://{address}/readyz\n")), "{said}");
        let parts = if status.starts_with("503") { "database: away: \\u{1b}[2J\n" } else { "" };
        assert_eq!(String::from_utf8_lossy(&output.stdout), parts);
    }
}

#[shared_testing::test]
async fn an_import_with_a_bad_line_names_it_and_exits_with_one() {
    let stage = stage_with(&[]).await;
    let file = stage.folder().join("orders.jsonl");
    std::fs::write(&file, format!("{}\nnonsense\n", order("ada", 1))).expect("the file is written");
    let output = orders(&stage, &["import", &file.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(response(&output).contains("line 2: "), "{}", response(&output));
    assert!(response(&output).contains("1 added, 0 replaced, 0 unchanged, 1 refused"), "{}", response(&output));
    stage.caller("ada").get(path(1)).await.status(200);
}

#[shared_testing::test]
async fn a_file_with_one_bad_line_is_not_reported_to_have_more() {
    let stage = stage_with(&[]).await;
    let file = stage.folder().join("orders.jsonl");
    std::fs::write(&file, "nonsense\n").expect("the file is written");
    let output = orders(&stage, &["import", &file.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(response(&output).ends_with("1 bad line; there are no good lines\n"), "{}", response(&output));
}

/// Moves order 1, which must succeed; returns the order that the command prints.
fn moved(stage: &Stage, arguments: &[&str]) -> Value {
    let output = orders(stage, &[&["order", "move", &id(1)], arguments].concat());
    assert!(output.status.success(), "{}", response(&output));
    let record: Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    record["order"].clone()
}

#[shared_testing::test]
async fn an_order_is_moved_step_by_step_and_its_owner_sees_every_one() {
    let stage = stage_with(&[draft("ada", 1)]).await;
    let ada = stage.caller("ada");
    ada.get(path(1)).await.refused(404, "not_found");
    moved(&stage, &["placed"]);
    let etag = ada.get(path(1)).await.status(200).header("etag").to_owned();
    moved(&stage, &["awaiting_payment"]);
    let paid = moved(&stage, &["paid", "--reference", "pi_7", "--note", "By bank transfer."]);
    assert_eq!((&paid["amounts"]["paid_minor"], &paid["amounts"]["due_minor"]), (&json!(6480), &json!(0)));
    assert_eq!(paid["payment"], json!({"method": "card", "status": "paid", "reference": "pi_7"}));
    moved(&stage, &["provisioning", "--version", "6"]);
    let subscription = format!("sub_{}", "5".repeat(32));
    let completed = moved(&stage, &["completed", "--subscription-id", &subscription]);
    assert_eq!(
        (&completed["subscription_id"], &completed["payment"]["reference"]),
        (&json!(subscription), &json!("pi_7"))
    );
    let refunded = moved(&stage, &["refunded", "--note", "It was not what Ada wanted."]);

    let response = ada.get(path(1)).header("if-none-match", &etag).await.status(200);
    assert_eq!(response["data"], refunded, "the owner sees what the operator saw");
    let states: Vec<_> =
        response["data"]["timeline"].as_array().expect("steps").iter().map(|step| &step["state"]).collect();
    let expected = ["draft", "placed", "awaiting_payment", "paid", "provisioning", "completed", "refunded"];
    assert_eq!(states, expected.map(Value::from).iter().collect::<Vec<_>>());
    assert_eq!(response["data"]["timeline"][3]["note"], "By bank transfer.");
    assert_eq!(response["data"]["amounts"]["refunded_minor"], 6480);
    assert_eq!(response["data"]["version"], 9);
}

#[shared_testing::test]
async fn an_illegal_move_is_refused_with_the_states_that_are_allowed_and_changes_nothing() {
    let stage = stage_with(&[order("ada", 1)]).await;
    for state in ["placed", "awaiting_payment", "paid", "provisioning", "expired", "draft"] {
        let output = orders(&stage, &["order", "move", &id(1), state]);
        assert_eq!(output.status.code(), Some(1), "{state}");
        let expected = format!(
            "error: an order that is provisioning cannot become {state}; \
             it can become: completed, cancelled, failed, refunded\n"
        );
        assert_eq!(response(&output), expected);
    }
    let output = orders(&stage, &["order", "move", &id(1), "completed", "--version", "2"]);
    assert_eq!(response(&output), "error: the order is in version 3, not 2\n");
    let output = orders(&stage, &["order", "move", &id(404), "paid"]);
    assert_eq!(response(&output), format!("error: there is no order {}\n", id(404)));
    for nonsense in [
        ["shipped", "--note", "x"],
        ["failed", "--note", " "],
        ["failed", "--note", "x\u{202e}y"],
        ["failed", "--reference", "a\nb"],
    ] {
        let output = orders(&stage, &[&["order", "move", &id(1)][..], &nonsense].concat());
        assert_eq!(output.status.code(), Some(2), "{nonsense:?}");
    }
    let output = orders(&stage, &["order", "show", &id(1)]);
    let record: Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    let read = stage.caller("ada").get(path(1)).await.status(200);
    assert_eq!(record, json!({"owner": "ada", "order": read["data"]}));
    assert_eq!(read["data"]["version"], 3);
}

#[shared_testing::test]
async fn control_characters_of_a_file_are_escaped_on_the_terminal() {
    let stage = stage_with(&[]).await;
    let file = stage.folder().join("orders.jsonl");
    let mut line = order("ada", 1);
    line["order"]["\u{1b}[2J\nline 9: all is well"] = json!(1);
    std::fs::write(&file, format!("{line}\n")).expect("the file is written");
    for strict in [&[][..], &["--strict"]] {
        let output = orders(&stage, &[&["import"], strict, &[&file.display().to_string()]].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = response(&output);
        assert!(said.contains(r"\u{1b}[2J\u{a}line 9: all is well"), "{said}");
        assert!(!said.contains('\u{1b}') && said.lines().all(|line| !line.starts_with("line 9")), "{said}");
    }
}

#[shared_testing::test]
async fn a_file_without_line_ends_is_refused() {
    let stage = stage_with(&[]).await;
    let output = orders(&stage, &["import", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(1));
    let rule = "/dev/zero: the source cannot be read: line 1 does not end within 16777216 bytes";
    assert_eq!(response(&output), format!("error: {rule}\n"));
}

#[shared_testing::test]
async fn an_export_that_nobody_reads_ends_quietly() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let (nobody, stdout) = std::io::pipe().expect("a pipe");
    drop(nobody);
    let output = command(&stage, &["export"]).stdout(stdout).output().expect("the command runs");
    assert_eq!((response(&output).as_str(), output.status.code()), ("", Some(141)));
}
