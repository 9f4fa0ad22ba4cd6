//! The metrics that every service has.

use super::{connections::measures, ops};
use crate::{
    base::metrics::{BUILD_INFO, Metric},
    http, jobs,
    state::{db, rate_limit},
};

/// Those of all services, in the order of the reference.
pub fn common() -> Vec<&'static Metric> {
    let mut all = Vec::from(http::measures::METRICS);
    all.push(&rate_limit::REFUSED);
    all.extend(measures::METRICS);
    all.extend(db::METRICS);
    all.extend([&ops::REDIS_AWAY, &BUILD_INFO]);
    all
}

/// Those of services with jobs.
pub fn of_jobs() -> Vec<&'static Metric> {
    [&ops::JOBS_WAITING, &ops::JOBS_LATE].into_iter().chain(jobs::METRICS).collect()
}
