//! `cloud-svc export`: writes the files and folders of a workspace into a folder of the operator's machine.

mod names;
mod run;
mod store;
mod written;

pub use run::{Export, Exported, run};
