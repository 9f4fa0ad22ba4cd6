//! What the transport refuses and accepts.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Response, Stage, Text as _};

use super::message;

/// Fails unless the transport has refused a message in the form that clients read.
#[track_caller]
fn assert_refused(response: &Response, status: u16) {
    assert_eq!((response.status, response["error"]["code"].as_i64()), (status, Some(-32600)), "{response}");
    assert_eq!(response.header("content-type"), "application/json", "{response}");
}

#[shared_testing::test]
async fn only_messages_are_posted() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for method in ["GET", "DELETE", "PUT"] {
        let refused = ada.request(method, "/mcp").await.refused(405, "method_not_allowed");
        assert_eq!(refused.header("allow"), "POST, OPTIONS");
    }
    let ping = message(&ada, "ping", json!({})).header("mcp-session-id", "made-up").await.status(200);
    assert_eq!(ping["result"], json!({}));
    let unknown = message(&ada, "no/such", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let version = message(&ada, "ping", json!({})).without_header("mcp-protocol-version");
    let version = version.header("mcp-protocol-version", "1999-01-01").await;
    assert_refused(&version, 400);
    let notified = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let notified = message(&ada, "", json!({})).json(notified).await;
    assert_eq!((notified.status, notified.body().as_str()), (202, ""));
}

#[shared_testing::test]
async fn what_is_no_message_is_refused_in_the_form_of_messages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let code = |response: &Response| response.json()["error"]["code"].as_i64();
    for body in ["{", "", "[]", "nonsense", "{\"a\": 1, \"a\": 2}"] {
        let refused = message(&ada, "ping", json!({})).body("application/json", body).await;
        assert_eq!((refused.status, code(&refused)), (400, Some(-32700)), "{body}: {refused}");
        assert_eq!(refused.json()["error"]["data"]["error"]["code"], "invalid_request", "{body}: {refused}");
    }
    for broken in [
        json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
        json!({}),
    ] {
        assert_refused(&message(&ada, "", json!({})).json(broken).await, 400);
    }
    for (method, params) in [
        ("tools/call", json!({"name": "list_folder", "arguments": []})),
        ("tools/call", json!({"arguments": {}})),
        ("resources/read", json!({})),
        ("prompts/get", json!({"name": "no_such_prompt"})),
        ("prompts/get", json!({"name": "review_plan", "arguments": {"file_id": "file_1"}})),
    ] {
        let refused = message(&ada, method, params.clone()).await;
        let sentence = refused.json()["error"]["message"].as_str().unwrap_or_default().contains(' ');
        assert_eq!((code(&refused), sentence), (Some(-32602), true), "{method} {params}: {refused}");
    }
    let unknown = message(&ada, "no/such", json!({})).await;
    assert_eq!(unknown["error"]["message"], "Method not found: no/such");
}

#[shared_testing::test]
async fn a_client_says_what_it_accepts() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for accepted in ["*/*", "application/json", "text/event-stream, application/json;q=0.9", "application/*"] {
        let answer = message(&ada, "ping", json!({})).without_header("accept").header("accept", accepted).await;
        assert_eq!(answer.status(200)["result"], json!({}), "{accepted}");
    }
    message(&ada, "ping", json!({})).without_header("accept").await.status(200);
    let refused = message(&ada, "ping", json!({})).without_header("accept").header("accept", "text/html").await;
    assert_refused(&refused, 406);
}

#[shared_testing::test]
async fn prompts_are_listed_filled_in_and_completed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = crate::samples::id(&crate::samples::create(&ada, "Minutes of May").await);
    let listed = message(&ada, "prompts/list", json!({})).await.status(200);
    let names: Vec<_> =
        listed["result"]["prompts"].as_array().expect("prompts").iter().map(|p| p["name"].text()).collect();
    assert_eq!(names, ["review_plan", "summarize_changes", "minutes_to_actions"]);
    let get = json!({"name": "minutes_to_actions", "arguments": {"file_id": id}});
    let got = message(&ada, "prompts/get", get).await.status(200);
    assert!(got["result"]["messages"][0]["content"]["text"].text().contains(&format!("read_file for {id}.")), "{got}");
    for (argument, typed, values) in [
        ("file_id", "minutes", vec![id.as_str()]),
        ("file_id", "", vec![]),
        ("file_id", "a/\u{0}", vec![]),
        ("other", "minutes", vec![]),
    ] {
        let of = json!({"type": "ref/prompt", "name": "minutes_to_actions"});
        let asked = json!({"ref": of, "argument": {"name": argument, "value": typed}});
        let completed = message(&ada, "completion/complete", asked).await.status(200);
        assert_eq!(completed["result"]["completion"]["values"], json!(values), "{argument} {typed}");
    }
}

#[shared_testing::test]
async fn other_hosts_and_origins_are_refused() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1:1"] {
        assert_refused(&message(&ada, "ping", json!({})).header("origin", origin).await, 403);
    }
    let twice = message(&ada, "ping", json!({})).header("origin", stage.base_url());
    assert_refused(&twice.header("origin", "https://evil.example").await, 403);
    let own = message(&ada, "ping", json!({})).header("origin", stage.base_url()).await;
    assert_eq!(own.status, 200, "{own}");
    assert_refused(&message(&ada, "ping", json!({})).header("host", "evil.example").await, 403);
    // The whole URL in the request line names a host, too, beside the header Host.
    let at = |base: &str| message(&ada, "ping", json!({})).at(format!("{base}/mcp?structured=true"));
    assert_refused(&at("http://evil.example").await, 403);
    assert_eq!(at(stage.base_url()).await.status(200)["result"], json!({}));
}

#[shared_testing::test]
async fn pages_of_allowed_origins_send_messages() {
    let app = "https://app.example.com";
    let stage = Stage::of(service()).settings(|settings| settings.cors_origins = vec![app.to_owned()]).await;
    let ada = stage.caller("ada");
    let asked = stage.anyone().request("OPTIONS", "/mcp").header("origin", app);
    let allowed = asked.header("access-control-request-method", "POST").await.status(204);
    assert_eq!(
        allowed.header("access-control-allow-headers"),
        "Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id, traceparent"
    );
    let answer = message(&ada, "ping", json!({})).header("origin", app).await.status(200);
    assert_eq!(answer.header("access-control-allow-origin"), app);
    for origin in ["https://app.example.com:8443", "http://app.example.com"] {
        assert_eq!(message(&ada, "ping", json!({})).header("origin", origin).await.status, 403, "{origin}");
    }
}

#[shared_testing::test]
async fn a_missing_token_or_scope_is_answered_with_a_challenge() {
    let stage = Stage::of(service()).await;
    let refused = message(&stage.anyone(), "ping", json!({})).await.refused(401, "unauthorized");
    let (base, well_known) = (stage.base_url(), "/.well-known/oauth-protected-resource");
    let challenge = format!("Bearer scope=\"cloud.read\", resource_metadata=\"{base}{well_known}/mcp\"");
    assert_eq!(refused.header("www-authenticate"), challenge);
    assert_eq!(refused["error"]["next_action"]["resource_metadata"], format!("{base}{well_known}/mcp"));
    let refused = stage.anyone().get("/v1/files").await.refused(401, "unauthorized");
    assert_eq!(refused.header("www-authenticate"), format!("Bearer resource_metadata=\"{base}{well_known}\""));
    // A client refuses metadata of another resource than the one that it called.
    for resource in ["", "/mcp"] {
        let metadata = stage.anyone().get(format!("{well_known}{resource}")).await.status(200);
        assert_eq!(metadata["resource"], format!("{base}{resource}"));
        let ada = stage.caller("ada").claim("aud", format!("{base}{resource}"));
        message(&ada, "ping", json!({})).await.status(200);
        ada.get("/v1/files").await.status(200);
    }
    for audience in ["/mcp/", "/mcp/mcp", "/v1"] {
        let ada = stage.caller("ada").claim("aud", format!("{base}{audience}"));
        let refused = message(&ada, "ping", json!({})).await.refused(401, "invalid_token");
        assert!(
            refused.header("www-authenticate").contains(", scope=\"cloud.read\", resource_metadata="),
            "{audience}"
        );
    }
    let reader = stage.caller("ada").scope("cloud.read");
    let listed = message(&reader, "tools/list", json!({})).await.status(200);
    let names: Vec<_> =
        listed["result"]["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].text()).collect();
    assert!(
        names.contains(&"read_file") && !names.contains(&"edit_note") && !names.contains(&"apply_plan"),
        "{names:?}"
    );
    let call = json!({"name": "create_file", "arguments": {"type": "folder", "name": "x", "idempotency_key": "k"}});
    let refused = message(&reader, "tools/call", call).await.refused(403, "insufficient_scope");
    let challenge = refused.header("www-authenticate");
    assert!(
        challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\"cloud.write\""),
        "{challenge}"
    );
    let proposer = stage.caller("ada").scope("cloud.propose");
    let listed = message(&proposer, "tools/list", json!({})).await.status(200);
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let has = |name: &str| tools.iter().any(|tool| tool["name"] == name);
    assert!(has("edit_document") && has("add_comment") && has("rebase_plan") && !has("create_file"));
}

#[shared_testing::test]
async fn tools_are_charged_to_the_limits_of_their_operations() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let create = |n: usize| {
        let arguments = json!({"type": "folder", "name": "x", "idempotency_key": format!("k{n}")});
        message(&ada, "tools/call", json!({"name": "create_file", "arguments": arguments}))
    };
    for n in 0..120 {
        let created = create(n).await.status(200);
        assert_eq!(created["result"]["isError"], false, "{created}");
    }
    let refused = create(120).await.status(200);
    let error = &refused["result"]["structuredContent"]["error"];
    assert_eq!((error["code"].text(), error["retryable"].as_bool()), ("rate_limited", Some(true)), "{refused}");
    assert_eq!(error["next_action"]["type"], "wait");
    let metrics = stage.metrics().await;
    let counted = |operation: &str, status: u16| {
        metrics.lines().any(|line| {
            line.starts_with("http_requests_total")
                && line.contains(&format!("operation=\"{operation}\""))
                && line.contains(&format!("status=\"{status}\""))
                && !line.ends_with(" 0")
        })
    };
    assert!(
        counted("create_folder", 200) && counted("create_folder", 429) && counted("send_mcp_message", 200),
        "{metrics}"
    );
}

#[shared_testing::test]
async fn wrong_arguments_are_protocol_errors_and_refusals_are_results() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let unknown = message(&ada, "tools/call", json!({"name": "no_such_tool", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    for (name, arguments, code, at) in [
        ("get_file", json!({}), "invalid_request", "/file_id"),
        ("get_file", json!({"file_id": "file_1", "x": 1}), "invalid_request", "/x"),
        ("search_files", json!({"name_contains": "a", "limit": 1000}), "invalid_field", "/limit"),
        ("create_file", json!({"type": "folder", "name": 5}), "invalid_field", "/name"),
        (
            "create_file",
            json!({"type": "folder", "name": "a", "idempotency_key": "a b"}),
            "invalid_request",
            "/idempotency_key",
        ),
        ("create_file", json!({"type": "folder", "name": "a/b", "idempotency_key": "k"}), "invalid_field", "/name"),
        ("create_file", json!({"type": "folder", "name": "a", "text": "x"}), "invalid_request", "/text"),
        (
            "change_comment",
            json!({"file_id": "file_1", "comment_id": "cmt_1", "if_match": "\"x\"", "action": "close"}),
            "invalid_request",
            "/action",
        ),
        ("save_draft", json!({"type": "pdf", "name": "a", "text": "x"}), "invalid_request", "/type"),
        ("create_file", json!({"type": "pdf", "name": "a", "idempotency_key": "k"}), "invalid_request", "/type"),
        (
            "move_or_rename",
            json!({"file_id": "file_1", "if_match": "\"x\"", "idempotency_key": "k"}),
            "invalid_request",
            "/name",
        ),
        (
            "upload_small_file",
            json!({"name": "a", "mime": "text/plain", "content_base64": "!", "idempotency_key": "k"}),
            "invalid_request",
            "/content_base64",
        ),
    ] {
        let answer = message(&ada, "tools/call", json!({"name": name, "arguments": arguments})).await.status(200);
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        let error = &result["structuredContent"]["error"];
        let problems = error["next_action"]["problems"].as_array().cloned().unwrap_or_default();
        let places: Vec<&Value> = problems.iter().map(|problem| &problem["at"]).collect();
        assert_eq!((error["code"].text(), places), (code, vec![&json!(at)]), "{name} {arguments}: {answer}");
    }
}
