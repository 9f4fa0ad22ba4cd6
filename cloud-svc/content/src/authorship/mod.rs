//! Who wrote which part: the version that last wrote each block, line, cell or element.

pub mod carried;
pub mod runs;
#[cfg(test)]
mod tests;
