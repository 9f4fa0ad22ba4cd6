//! Connection pools, and the record of outages and overload.

pub mod connection_pool;
pub mod outage;
pub mod overload;
pub mod side_state;
