//! Random histories of commands that a model checks, on a service in processes of its own.
//!
//! A history is a list of steps, each a number from which its command follows. So a history can be cut and run again
//! from an empty database. An answer that was lost leaves two worlds open: with the command and without it. Every later
//! answer must be possible in at least one world.

mod command;
mod dice;
mod expected;
mod ground;
mod lookout;
mod model;
mod report;
mod run;
mod script;
mod shrink;
mod step;
mod symbols;
mod worlds;

pub use command::{Command, Form, Seen, Way};
pub use dice::Dice;
pub use expected::Expected;
pub use ground::{Cast, Ground};
pub use lookout::{Coverage, Reasons, compare, look};
pub use model::{Model, choose};
pub use report::Report;
pub use shrink::{Plan, search};
