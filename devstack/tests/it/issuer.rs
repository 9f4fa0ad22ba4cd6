//! The issuer as services and rooms see it.

use serde_json::json;

use crate::{paste, stack::Scene};

#[test]
fn the_sample_model_answers_as_clients_of_openai_expect() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let url = stack.text("/issuer/url");
    let models = paste(&format!("curl {url}/v1/models")).json();
    let model = models["data"][0]["id"].clone();
    let chat = |body: serde_json::Value| {
        paste(&format!("curl -H 'Content-Type: application/json' -d '{body}' {url}/v1/chat/completions"))
    };
    let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}]);
    let said = chat(json!({"model": model, "messages": messages, "max_tokens": 16})).json();
    assert_eq!(said["object"], "chat.completion");
    assert_eq!(said["choices"][0]["message"], json!({"role": "assistant", "content": "hello"}));
    assert_eq!(said["choices"][0]["finish_reason"], "stop");
    assert!(said["usage"]["total_tokens"].is_u64());

    let unknown = chat(json!({"model": "another", "messages": messages}));
    assert_eq!((unknown.status, unknown.json()["error"]["code"].clone()), (404, json!("model_not_found")));
    let silent = chat(json!({"model": model, "messages": []}));
    assert_eq!(silent.status, 400);
}

/// As the SDKs of the Model Context Protocol do it: the 401 leads to the issuer, where the client registers.
#[test]
fn a_client_of_an_agent_signs_in_by_itself() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let (issuer, cloud) = (stack.text("/issuer/url"), stack.text("/surfaces/cloud/base_url"));
    let metadata = paste(&format!("curl {issuer}/.well-known/oauth-authorization-server")).json();
    assert_eq!(metadata["client_id_metadata_document_supported"], true);
    let register = metadata["registration_endpoint"].as_str().expect("an endpoint").to_owned();
    let registered =
        |body: serde_json::Value| paste(&format!("curl -H 'Content-Type: application/json' -d '{body}' {register}"));
    let refused = registered(json!({"redirect_uris": ["javascript:alert(1)"]}));
    assert_eq!((refused.status, refused.json()["error"].clone()), (400, json!("invalid_redirect_uri")));
    let client = registered(json!({"client_name": "Helper", "redirect_uris": ["http://127.0.0.1:1/callback"]}));
    assert_eq!(client.status, 201);
    let client_id = client.json()["client_id"].as_str().expect("an id").to_owned();
    // RFC 7636, appendix B.
    let (verifier, challenge) =
        ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    // Another port than the registered one: programs choose theirs when they start.
    let redirect = "http://127.0.0.1:2/callback";
    let asks = format!(
        "--data-urlencode response_type=code --data-urlencode client_id={client_id} --data-urlencode redirect_uri={redirect} \
         --data-urlencode code_challenge={challenge} --data-urlencode code_challenge_method=S256 \
         --data-urlencode resource={cloud}/mcp --data-urlencode 'scope=cloud.read cloud.propose'"
    );
    let page = paste(&format!("curl -G {asks} {issuer}/authorize"));
    assert!(page.status == 200 && page.body.contains("<strong>Helper</strong> wants to work with"), "{}", page.body);
    let chosen = paste(&format!("curl --dump-header - {asks} --data-urlencode person=ada {issuer}/authorize"));
    let location = chosen.body.lines().find_map(|line| line.strip_prefix("location: ")).expect("a redirect").to_owned();
    assert!(location.starts_with(redirect), "{location}");
    let code = location.split("code=").nth(1).and_then(|rest| rest.split('&').next()).expect("a code");
    let token = paste(&format!(
        "curl -d grant_type=authorization_code -d client_id={client_id} -d code={code} -d code_verifier={verifier} \
         --data-urlencode redirect_uri={redirect} {issuer}/token"
    ));
    let token = token.json()["access_token"].as_str().expect("a token").to_owned();
    let workspaces = crate::get(&format!("{cloud}/v1/workspaces"), &token).json();
    assert_eq!(workspaces["actor"]["type"], "agent", "{workspaces}");
    assert_eq!(workspaces["actor"]["display_name"], "Helper");
}

#[test]
fn a_client_may_be_known_by_the_url_of_its_metadata() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let issuer = stack.text("/issuer/url");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/client.json", listener.local_addr().expect("an address"));
    let document =
        json!({"client_id": url, "client_name": "Web agent", "redirect_uris": ["https://agent.example/callback"]});
    let serving = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        // For the two requests below.
        for stream in listener.incoming().take(2) {
            let mut stream = stream.expect("a connection");
            let _ = stream.read(&mut [0; 4_096]).expect("a request");
            let body = document.to_string();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).expect("an answer");
        }
    });
    let ask = |redirect: &str| {
        let cloud = stack.text("/surfaces/cloud/base_url");
        paste(&format!(
            "curl -G --data-urlencode response_type=code --data-urlencode client_id={url} --data-urlencode \
             redirect_uri={redirect} --data-urlencode code_challenge={} --data-urlencode code_challenge_method=S256 \
             --data-urlencode resource={cloud}/mcp {issuer}/authorize",
            "a".repeat(43)
        ))
    };
    let page = ask("https://agent.example/callback");
    assert!(page.status == 200 && page.body.contains("Web agent"), "{}", page.body);
    assert_eq!(ask("https://evil.example/callback").status, 400);
    serving.join().expect("served");
}

/// A page on the internet can point its own name at this machine; a browser sends that name.
#[test]
fn a_foreign_host_is_refused() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let issuer = stack.text("/issuer/url");
    let port = issuer.rsplit(':').next().expect("a port");
    let (foreign, local) = (format!("evil.example:{port}"), format!("localhost:{port}"));
    for (host, status) in [("evil.example", 421), (&foreign, 421), (&local, 200)] {
        let metadata = paste(&format!("curl -H 'Host: {host}' {issuer}/.well-known/oauth-authorization-server"));
        assert_eq!(metadata.status, status, "{host}");
    }
}
