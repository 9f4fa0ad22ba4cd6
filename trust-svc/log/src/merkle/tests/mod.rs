//! Trees and proofs, compared with another implementation (ct-merkle) and with each other.

mod anchored;
mod appending;
mod other_implementation;
mod proofs;
mod stored;
