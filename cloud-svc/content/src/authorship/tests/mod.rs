//! Random histories of files: the runs that are kept say what a replay of all versions says.
//!
//! `AUTHORSHIP_CASES=5000` tries more of them.

mod cells;
mod histories;
mod lists;

use super::runs::{Runs, Writer};
use crate::grid::Grid;

const ONE: Writer = Writer::Version(1);
const TWO: Writer = Writer::Version(2);

#[test]
fn what_is_read_is_what_was_written() {
    let grids = [Grid { rows: 3, columns: 2 }, Grid::list(0), Grid::list(2)];
    let writers = [ONE, Writer::This, ONE, Writer::This, TWO, TWO, Writer::Unknown, ONE];
    let runs = Runs::new(&grids, &writers);
    let json = runs.to_json().expect("JSON");
    assert_eq!(json, "[[[2,1,1,1,0],[1,2,2]],[],[[1,1,-1],[1,1,1]]]");
    assert_eq!(Runs::from_json(&json).expect("runs"), runs);
    assert_eq!(runs.writers(), writers);
}

#[test]
fn a_column_is_one_run_where_its_neighbors_differ() {
    let grids = [Grid { rows: 3, columns: 2 }];
    let runs = Runs::new(&grids, &[ONE, TWO, ONE, ONE, ONE, TWO]).runs();
    let areas: Vec<_> = runs.into_iter().map(|run| (run.area.rows, run.area.columns, run.writer)).collect();
    // The row in the middle is one span, so the column on the left is cut.
    assert_eq!(areas, [(0..1, 0..1, ONE), (0..1, 1..2, TWO), (1..2, 0..2, ONE), (2..3, 0..1, ONE), (2..3, 1..2, TWO)]);
    let runs = Runs::new(&grids, &[ONE, TWO, ONE, Writer::Unknown, ONE, TWO]).runs();
    assert_eq!((runs.len(), &runs[0].area.rows), (4, &(0..3)));
}

#[test]
fn a_column_of_two_thousand_rows_takes_one_band() {
    let mut writers = vec![ONE; 2000 * 50];
    writers.iter_mut().skip(7).step_by(50).for_each(|writer| *writer = TWO);
    let runs = Runs::new(&[Grid { rows: 2000, columns: 50 }], &writers);
    assert_eq!(runs.to_json().expect("JSON"), "[[[2000,7,1,1,2,42,1]]]");
}
