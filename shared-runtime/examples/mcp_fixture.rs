//! A server with the tools, prompts and resources that the conformance suite of the Model Context Protocol asks for.
//! Its `/mcp` is that of the services. `clients/conformance/run` starts it; it prints its base URL and runs until it is
//! killed.

use std::io::{self, Write as _};

use serde::Serialize;
use serde_json::json;
use shared_model::{Envelope, Error, ErrorBody, Failure, NextAction, Problem, Refusal, code, refusal::NextStep};
use shared_runtime::{
    Answer, Anyone, Routes, Service, Surface,
    http::operations::{CallResult, Operations},
    mcp::{
        self, Arguments, Asking, Content, Effect, Outcome, PersonsAnswer, Prompt, PromptParameter, Question,
        ResourceFuture, ResourcePage, Resources, Template, Tool, ToolCall, Tools,
    },
    state::{db::Migrations, rate_limit::LimitClass},
};
use shared_testing::Stage;
use utoipa::ToSchema;

static SURFACE: Surface = Surface {
    name: "fixture",
    title: "A fixture",
    about: "Nothing but a test.",
    version: "v1",
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: 64 * 1024,
    port: 8085,
    claims: &[],
    codes: &[],
};
const AT: &str = "/uri";
const RULE: &str = "must name something";
const UNLIMITED: LimitClass = LimitClass { name: "read", per_minute: 1_000_000 };

fn main() {
    shared_testing::run(async {
        let stage = Stage::of(Service::new(&SURFACE, routes, Migrations::NONE).tools(tools)).await;
        writeln!(io::stdout(), "{}", stage.base_url()).expect("somebody reads the URL");
        std::future::pending::<()>().await;
    });
}

/// A greeting.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"text": "Hello."}))]
struct Greeting {
    text: &'static str,
}

async fn greet(_: Anyone) -> Result<Answer<Greeting>, Error> {
    Ok(Answer::ok(&Greeting { text: "This is a simple text response for testing." })?)
}

async fn refuse(_: Anyone) -> Result<Answer<Greeting>, Error> {
    Err(nothing().into())
}

fn nothing() -> Refusal {
    let problems = vec![Problem { at: AT.to_owned(), rule: RULE.to_owned() }];
    code::NOT_FOUND.because("There is nothing here, for a test.").next(NextAction::CorrectRequest { problems })
}

fn routes(routes: &mut Routes) {
    routes
        .get("/v1/greeting", "greet", &UNLIMITED, greet)
        .summary("A greeting.")
        .refuses_with(&code::NOT_FOUND, NextStep::CorrectOne(AT, RULE));
    routes
        .get("/v1/refusal", "refuse", &UNLIMITED, refuse)
        .summary("A refusal.")
        .refuses_with(&code::NOT_FOUND, NextStep::CorrectOne(AT, RULE));
    routes
        .post(mcp::PATH, "send_mcp_message", &UNLIMITED, mcp::serve_anyone)
        .summary("Speak the Model Context Protocol.")
        .description(mcp::DESCRIPTION);
}

fn tools() -> Tools {
    let tool = |name, operations| Tool::new(name, Effect::Reads, operations, "For the suite.");
    let tools = vec![
        tool("test_simple_text", &["greet"]),
        tool("test_error_handling", &["refuse"]),
        tool("test_input_required_result_elicitation", &["greet"])
            .steps(|call| Box::pin(ask(call, &[Round { name: "user_name", message: "What is your name?" }]))),
        tool("test_input_required_result_request_state", &["greet"])
            .steps(|call| Box::pin(ask(call, &[Round { name: "confirm", message: "Please confirm" }]))),
        tool("test_input_required_result_tampered_state", &["greet"])
            .steps(|call| Box::pin(ask(call, &[Round { name: "confirm", message: "Please confirm" }]))),
        tool("test_input_required_result_multi_round", &["greet"]).steps(|call| {
            let rounds = &[
                Round { name: "step1", message: "Step 1: What is your name?" },
                Round { name: "step2", message: "Step 2: What is your favorite color?" },
            ];
            Box::pin(ask(call, rounds))
        }),
    ];
    Tools {
        instructions: "Nothing but a test.",
        is_private: false,
        tools,
        resources: Some(resources()),
        instead: |_| None,
        prompts: PROMPTS,
        complete: None,
    }
}

struct Round {
    name: &'static str,
    message: &'static str,
}

/// Asks one question after the other. The state has the number of the answers so far.
async fn ask(call: ToolCall<'_>, rounds: &'static [Round]) -> Result<Outcome, Failure> {
    let mut answered = 0;
    if let Some(confirmation) = &call.confirmation {
        answered = confirmation.state.parse().map_err(|_| Failure::fault("a state that this server never sealed"))?;
        answered += usize::from(confirmation.answer(rounds[answered].name) == PersonsAnswer::Accepted);
    }
    match rounds.get(answered) {
        Some(&Round { name, message }) if call.asking != Asking::Impossible => Ok(Outcome::Question(Question {
            name,
            message: message.to_owned(),
            url: call.operations.context().href("/v1/greeting"),
            state: answered.to_string(),
        })),
        _ => call.call("greet", Arguments::new()).await.map(Outcome::Finished),
    }
}

const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "test_simple_prompt",
        title: "A prompt",
        description: "For the suite.",
        arguments: &[],
        text: "This is a simple prompt for testing.",
    },
    Prompt {
        name: "test_prompt_with_arguments",
        title: "A prompt with arguments",
        description: "For the suite.",
        arguments: &[
            PromptParameter { name: "arg1", description: "First test argument" },
            PromptParameter { name: "arg2", description: "Second test argument" },
        ],
        text: "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
    },
];

fn resources() -> Resources {
    Resources {
        views: &[],
        templates: &[Template {
            uri: "test://template/{id}/data",
            name: "data",
            title: "Data",
            description: "For the suite.",
        }],
        list: |_, _| {
            let page = ResourcePage { resources: Vec::new(), next_cursor: None };
            Box::pin(async { Ok(Ok(page)) }) as ResourceFuture<'_, ResourcePage>
        },
        read: |operations, uri| Box::pin(read(operations, uri)) as ResourceFuture<'_, Content>,
    }
}

async fn read(operations: &Operations, uri: String) -> Result<Result<Content, ErrorBody>, Failure> {
    if uri == "test://static-text" {
        let text = "This is the content of the static text resource.".to_owned();
        return Ok(Ok(Content { text, media_type: "text/plain", next_uri: None }));
    }
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    if let Some(id) = id {
        let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
        return Ok(Ok(Content { text: data.to_string(), media_type: "application/json", next_uri: None }));
    }
    match operations.refuse("greet", &nothing())? {
        CallResult::Refused(body) => Ok(Err(body)),
        CallResult::Answered(_) => Err(Failure::fault("a refusal that is an answer")),
    }
}
