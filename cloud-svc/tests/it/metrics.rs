//! The metrics of the service.

use shared_testing::{ServiceProcess, metrics_table, together};

/// The sum of the samples with all of these labels; at least one must exist.
pub fn value(metrics: &str, name: &str, labels: &[&str]) -> f64 {
    let of_name = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('{'));
    let samples = metrics.lines().filter(of_name).filter(|line| labels.iter().all(|label| line.contains(label)));
    let values: Vec<f64> =
        samples.map(|line| line.rsplit(' ').next().expect("a value").parse().expect("a number")).collect();
    assert!(!values.is_empty(), "there is no {name} with {labels:?} in:\n{metrics}");
    values.iter().sum()
}

#[shared_testing::test]
async fn every_declared_metric_exists_after_a_refusal_and_no_other() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[]).await;
    metrics_table::assert_complete(&process, &cloud_svc::service()).await;
}

#[shared_testing::test]
async fn few_series_exist_from_the_start_and_others_appear_with_their_first_request() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[]).await;
    metrics_table::assert_few_at_start(&process, &cloud_svc::service()).await;
}

#[shared_testing::test]
async fn requests_are_counted_and_failures_start_at_zero() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[]).await;
    let of = |operation: &str, status: u16| [format!("operation=\"{operation}\""), format!("status=\"{status}\"")];
    let count = async |operation: &str, status: u16| {
        let labels = of(operation, status);
        value(&process.metrics().await, "http_requests_total", &labels.each_ref().map(String::as_str))
    };
    assert_eq!(value(&process.metrics().await, "http_failures_total", &["operation=\"list_workspaces\""]), 0.0);
    assert_eq!((count("list_workspaces", 200).await, count("list_workspaces", 503).await), (0.0, 0.0));
    process.caller("ada").get("/v1/workspaces").await.status(200);
    process.anyone().get("/v1/workspaces").await.status(401);
    assert_eq!((count("list_workspaces", 200).await, count("list_workspaces", 401).await), (1.0, 1.0));
    let metrics = process.metrics().await;
    let refused = ["operation=\"list_workspaces\"", "code=\"unauthorized\""];
    assert_eq!(value(&metrics, "http_refusals_total", &refused), 1.0);
    let never = |line: &str| line.contains("internal_error") || line.contains("temporarily_unavailable");
    assert!(!metrics.lines().any(never), "a failure is no refusal: {metrics}");
    assert_eq!(value(&metrics, "http_requests_in_flight", &[]), 0.0);
    assert!(value(&metrics, "database_work_seconds_count", &["side=\"read\""]) >= 1.0);
    assert_eq!(value(&metrics, "http_request_seconds_bucket", &["list_workspaces", "2xx", "le=\"60\""]), 1.0);
}

#[shared_testing::test]
async fn a_client_that_is_refused_repeatedly_is_logged_once_a_minute() {
    let settings = [("RATE_LIMITS", "anonymous=1")];
    let process = ServiceProcess::logging(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &settings).await;
    let anyone = process.anyone();
    let answers = together((0..60).map(|_| anyone.get("/v1/workspaces"))).await;
    let refused = answers.iter().filter(|answer| answer["error"]["code"] == "rate_limited").count();
    // One more if a minute has ended meanwhile.
    assert!(refused >= 58, "{refused}");
    let metrics = process.metrics().await;
    let counted = value(&metrics, "rate_limited_total", &["limit=\"anonymous\""]);
    assert_eq!(counted.to_string(), refused.to_string());
    assert_eq!(value(&metrics, "rate_limited_total", &["limit=\"read\""]), 0.0);
    let log = process.log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("exceed a limit")).collect();
    assert!((1..=2).contains(&lines.len()), "{log}");
    assert!(lines[0].contains("\"subject\":\"127.0.0.1\"") && lines[0].contains("\"limit\":\"anonymous\""), "{log}");
}
