//! Testing the connection to a room's model.

mod probe;
mod queue;
mod run;
mod sweep;
mod workers;

use std::time::Duration;

use locker_svc::{connection_tests, service};
use shared_runtime::{context::settings::Role, jobs::Workers};
use shared_testing::{Caller, Request, Response, Stage, StageBuilder, Text as _, hostile_server::HostileServer};

use crate::{
    model_server as model,
    samples::{attest, id, import, room},
};

/// The path that queues a test of this room.
pub fn path(room: u32) -> String {
    format!("/api/v1/rooms/{}/onboarding/model-test", id("room", room))
}

/// Queues a test of this room, with a new idempotency key.
pub fn post(caller: &Caller, room: u32) -> Request {
    caller.post(path(room)).fresh_key()
}

/// A stage that may call this machine.
fn locker() -> StageBuilder {
    Stage::of(service()).settings(|settings| settings.outbound_allow = vec!["127.0.0.1/32".parse().expect("a network")])
}

/// The same with ada's room 1 and its model, without workers.
pub async fn idle_stage(model: &HostileServer) -> Stage {
    let stage = locker().settings(|settings| settings.role = Role::Api).await;
    attest(&stage).await;
    import(&stage, &[room("ada", 1, 1, &model::url(model))]).await.expect("a good line");
    stage
}

/// Starts a worker.
pub fn start_worker(stage: &Stage) -> Workers {
    Workers::start(stage.context.clone(), vec![connection_tests::job()])
}

/// The path of the operation in the `Location` of this answer.
pub fn operation_path(stage: &Stage, response: &Response) -> String {
    let path = response.header("location").strip_prefix(stage.base_url()).expect("an absolute URI of this service");
    assert_eq!(path, format!("/api/v1/operations/{}", response["data"]["operation_id"].text()));
    path.to_owned()
}

/// The operation once it has ended.
pub async fn ended(stage: &Stage, caller: &Caller, response: &Response) -> Response {
    while stage.count("operations WHERE finished_at IS NULL") > 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    caller.get(operation_path(stage, response)).await.status(200)
}
