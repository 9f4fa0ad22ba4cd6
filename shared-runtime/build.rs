//! Migrations are compiled in: a change of theirs is a change of this crate.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
