//! Random histories of proposals and plans, by people and an agent at once, while the service is killed.
//!
//! Each plan adds a paragraph with a text of its own. So a file tells which plans were applied, and how often.
//! `HISTORY_ROUNDS=100` makes longer histories, `HISTORY_SEED` others.

mod check;
mod record;
mod worker;

use std::{cell::Cell, rc::Rc, time::Duration};

use cloud_svc::service;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::json;
use shared_testing::{ServiceProcess, variable};

use self::{record::History, worker::Worker};
use crate::samples;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
const SETTINGS: &[(&str, &str)] = &[("RATE_LIMITS", "read=1000000,write=1000000")];
const FILES: usize = 6;
const KILLS_IN_A_ROUND: usize = 3;

#[shared_testing::test]
async fn proposals_apply_wholly_or_not_at_all_under_kills() {
    let seed = variable("HISTORY_SEED", 30);
    println!("HISTORY_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let mut cloud = ServiceProcess::of(PROGRAM, service(), SETTINGS).await;
    let robot = json!({"type": "agent", "id": "robot", "display_name": "Robot"});
    let (ada, bob) = (cloud.caller("ada"), cloud.caller("bob"));
    let callers = [ada.clone(), bob, cloud.caller("robot").claim("actor", robot)];
    let mut files = Vec::new();
    for _ in 0..FILES {
        files.push(samples::id(&samples::document_of(&ada, &["first"]).await));
    }
    let policy = ["workspace", "set-policy", "--agent-writes", "review", "ws_1"];
    let set = cloud.command(&policy).output().expect("the command runs");
    assert!(set.status.success(), "{set:?}");
    let history = Rc::new(History::new(files));
    let least = variable("HISTORY_ROUNDS", 2);
    for round in 1.. {
        let is_over = Cell::new(false);
        let workers: Vec<_> = callers
            .iter()
            .cycle()
            .take(2 * callers.len())
            .map(|caller| Worker::new(caller.clone(), Rc::clone(&history), random.random()))
            .collect();
        let work = workers.into_iter().map(|worker| worker.run(&is_over));
        let kills = async {
            for _ in 0..KILLS_IN_A_ROUND {
                tokio::time::sleep(Duration::from_millis(random.random_range(300..1_200))).await;
                cloud.kill();
                cloud.start(SETTINGS).await;
            }
            is_over.set(true);
        };
        // A worker ends with an answer to each of its commands: what was cut off it sends again, with the same key.
        tokio::join!(futures_util::future::join_all(work), kills);
        check::everything(&ada, &history, round).await;
        let missing = history.missing();
        if round >= least && missing.is_empty() {
            break;
        }
        assert!(round < least + 20, "{missing:?} did not happen: {}", history.summary());
    }
    println!("{}", history.summary());
}
