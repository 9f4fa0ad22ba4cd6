//! What an operator sees while the database does not answer.

use std::sync::{Mutex, mpsc};

use futures_util::future::{Either, join_all, select};
use shared_runtime::{
    Conn,
    context::settings::Role,
    jobs::{Job, JobEnd, JobKind},
    service::Service,
    state::db::Migrations,
};
use shared_testing::Stage;

use crate::jobs::SURFACE;

/// Each reader waits for a server that says nothing; so do the metrics, and a request.
#[shared_testing::test]
async fn metrics_are_there_before_a_request_gives_up_on_a_frozen_database() {
    let errand = || {
        let give_up = |_: &mut Conn, _: &Job, _| Ok(JobEnd::Done);
        vec![JobKind::new(
            "errand",
            |_, lease| async move {
                drop(lease);
                std::future::pending().await
            },
            give_up,
        )]
    };
    let service = Service::new(&SURFACE, |_| {}, Migrations::NONE).jobs(move |_| errand());
    let stage = Stage::of(service).settings(|settings| settings.role = Role::Api).await;
    let (begun, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
    let readers: Vec<_> = (0..stage.context.settings.connections)
        .map(|_| {
            let (release, frozen) = mpsc::channel::<()>();
            let (begun, frozen) = (begun.clone(), Mutex::new(frozen));
            let read = stage.context.read(move |_| {
                begun.send(()).expect("the test waits");
                Ok(frozen.lock().expect("a lock").recv().is_ok())
            });
            (release, read)
        })
        .collect();
    let (release, frozen): (Vec<_>, Vec<_>) = readers.into_iter().unzip();
    let metrics = async {
        for _ in &release {
            has_begun.recv().await.expect("a reader begins");
        }
        let request = std::pin::pin!(stage.context.read(|_| Ok(())));
        match select(std::pin::pin!(stage.metrics()), request).await {
            Either::Left((metrics, _)) => metrics,
            Either::Right((read, _)) => panic!("the metrics hang; a read has ended: {read:?}"),
        }
    };
    let (metrics, _) = tokio::join!(
        async {
            let metrics = metrics.await;
            release.iter().for_each(|release| release.send(()).expect("a reader waits"));
            metrics
        },
        join_all(frozen)
    );
    assert!(metrics.contains("database_away{surface=\"factory\"} 0"), "{metrics}");
}
