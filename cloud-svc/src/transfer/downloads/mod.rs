//! Downloads: short-lived links to versions of files, and the bytes behind them.

pub mod fetch;
pub mod form;
pub mod grant;
pub mod link;
pub mod source;
