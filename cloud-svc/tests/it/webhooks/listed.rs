//! Lists of the deliveries in one state, which may be few of many.

use shared_testing::servers;

use super::{
    cancelled::{fill, in_state},
    *,
};

const MANY: i64 = 2_000;

/// PostgreSQL only: it counts how often it reads an index.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn a_list_of_few_deliveries_reads_an_index_and_not_all_deliveries() {
    servers::needed();
    let stage = stage().await;
    let ada = stage.caller("ada");
    let id = id(&active(&ada, &Receiver::start().url(), json!(["*"])).await);
    fill(&stage, &id, MANY, stage.now().plus(Duration::from_secs(3_600))).await;
    let ended = "UPDATE webhook_deliveries SET due_at = NULL, finished_at = 0,
        state = CASE WHEN sequence < 100006 THEN 'failed' ELSE 'delivered' END WHERE sequence >= 100003";
    samples::sql(&stage, ended).await;
    samples::sql(&stage, "ANALYZE webhook_deliveries").await;
    const PENDING: &str =
        "SELECT idx_scan AS number FROM pg_stat_user_indexes WHERE indexrelname = 'webhook_deliveries_pending'";
    const NOT_TAKEN: &str =
        "SELECT idx_scan AS number FROM pg_stat_user_indexes WHERE indexrelname = 'webhook_deliveries_not_taken'";
    for (status, scans) in [("pending", PENDING), ("failed", NOT_TAKEN)] {
        let before = samples::number(&stage, scans).await;
        assert_eq!(in_state(&ada, &id, status).await.len(), 3, "{status}");
        // PostgreSQL publishes its statistics when the connection is idle.
        let is_scanned = async {
            while samples::number(&stage, scans).await == before {
                tokio::time::sleep(Duration::from_millis(50)).await;
                in_state(&ada, &id, status).await;
            }
        };
        let scanned = tokio::time::timeout(Duration::from_secs(10), is_scanned).await;
        assert!(scanned.is_ok(), "the list of {status} deliveries does not read its index");
    }
}
