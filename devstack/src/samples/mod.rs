//! Something to try on every surface, brought in by importers and transactions like anything else; a restart adds nothing.

pub mod cloud;
mod exports;
pub mod locker;
pub mod make;
pub mod orders;
mod records;
pub mod trust;

use serde::{Deserialize, Serialize};

/// The ids of what there is; what does not exist is left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Samples {
    /// On Locker, beside the catalogue and the subscriptions.
    pub locker: locker::Ids,
    /// On Cloud.
    pub cloud: cloud::Ids,
    /// On Orders.
    pub orders: orders::Ids,
    /// On Trust.
    pub trust: trust::Ids,
}
