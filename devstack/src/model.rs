//! A free model that echoes: the OpenAI-compatible endpoint of the sample room.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use shared_runtime::Clock;

pub const NAME: &str = "fourfold-echo";

/// `GET /v1/models` and `POST /v1/chat/completions`.
pub fn routes(app: &mut web::ServiceConfig) {
    app.route("/v1/models", web::get().to(models)).route("/v1/chat/completions", web::post().to(chat));
}

async fn models() -> HttpResponse {
    HttpResponse::Ok().json(json!({
        "object": "list",
        "data": [{"id": NAME, "object": "model", "created": 0, "owned_by": "fourfold"}],
    }))
}

/// Answers with the last message.
async fn chat(body: web::Bytes) -> HttpResponse {
    let request: Value = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => return refuse(400, "invalid_json", &error.to_string()),
    };
    if request["model"] != NAME {
        return refuse(404, "model_not_found", &format!("the only model here is {NAME}"));
    }
    let Some(heard) = request["messages"].as_array().and_then(|messages| messages.last()?["content"].as_str()) else {
        return refuse(400, "invalid_messages", "messages must end with one whose content is a string");
    };
    let (read, said) = (words(&request["messages"].to_string()), words(heard));
    HttpResponse::Ok().json(json!({
        "id": format!("chatcmpl-{:032x}", rand::random::<u128>()),
        "object": "chat.completion",
        "created": Clock::System.now().seconds(),
        "model": NAME,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": heard}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": said, "total_tokens": read + said},
    }))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn refuse(status: u16, code: &str, message: &str) -> HttpResponse {
    let status = actix_web::http::StatusCode::from_u16(status).expect("a status of ours");
    HttpResponse::build(status)
        .json(json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": code}}))
}
