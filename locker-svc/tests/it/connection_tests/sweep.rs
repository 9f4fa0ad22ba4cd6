//! Operations are deleted thirty days after their end.

use std::time::Duration;

use locker_svc::long_running;

use super::{ended, idle_stage, operation_path, post, start_worker};
use crate::model_server as model;

const DAY: Duration = Duration::from_secs(86_400);

#[shared_testing::test]
async fn an_operation_can_be_read_for_thirty_days_after_its_end() {
    let model = model::saying("ready");
    let stage = idle_stage(&model).await;
    let ada = stage.caller("ada");
    let first = post(&ada, 1).await.status(202);
    let worker = start_worker(&stage);
    ended(&stage, &ada, &first).await;
    worker.stop().await;
    let path = operation_path(&stage, &first);

    stage.clock.advance(DAY * 30 - Duration::from_secs(1));
    let ada = stage.caller("ada");
    let active = post(&ada, 1).await.status(202);
    assert_eq!(long_running::SWEEP.run(&stage.context.db, stage.now()).await.expect("it sweeps"), 0);
    ada.get(&path).await.status(200);

    stage.clock.advance(DAY * 30);
    let ada = stage.caller("ada");
    assert_eq!(long_running::SWEEP.run(&stage.context.db, stage.now()).await.expect("it sweeps"), 1);
    let swept = ada.get(&path).await.refused(404, "not_found").redacted();
    assert_eq!(swept, ada.get("/api/v1/operations/op_1").await.refused(404, "not_found").redacted());
    ada.get(operation_path(&stage, &active)).await.status(200);
}
