//! Trees and proofs beside another implementation (ct-merkle), and beside what a batch says of itself.

mod appending;
mod other_implementation;
mod proofs;
mod stored;
