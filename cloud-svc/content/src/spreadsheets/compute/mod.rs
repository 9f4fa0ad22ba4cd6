//! The values of cells, which are computed on request and never stored.

// The rules are those of LibreOffice Calc with its default settings, which `./test oracle` compares.

mod aggregate;
pub(super) mod area;
mod arithmetic;
mod code;
mod compare;
mod computed;
mod frame;
mod functions;
mod number_text;
mod operators;
mod read;
mod sum;
#[cfg(test)]
mod tests;
mod value;
mod workbook;

pub use self::{
    computed::Computed,
    value::{CellError, Value},
    workbook::{TooLarge, Workbook},
};
