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
