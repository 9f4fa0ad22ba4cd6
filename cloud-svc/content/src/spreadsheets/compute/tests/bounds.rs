//! Work that is bounded, and chains that are as long as a workbook.

use super::{value_of, workbook};
use crate::spreadsheets::{
    a1::cell::Cell,
    compute::{CellError, TooLarge, Value, Workbook},
};

fn column(count: usize, text: impl Fn(usize) -> String) -> Vec<Vec<String>> {
    (1..=count).map(|row| vec![text(row)]).collect()
}

#[test]
fn a_chain_through_all_rows_and_columns_is_calculated() {
    // From A1 down each column and on to the next: 128 000 formulas.
    let rows: Vec<Vec<String>> = (1..=2000)
        .map(|row| {
            let mut cells = vec![String::new(); 40];
            for (index, cell) in cells.iter_mut().enumerate() {
                let column = |index: usize| crate::spreadsheets::a1::column::letters(index);
                *cell = match (row, index) {
                    (1, 0) => "1".to_owned(),
                    (1, index) => format!("={}2000", column(index - 1)),
                    (row, index) => format!("={}{}+1", column(index), row - 1),
                };
            }
            cells
        })
        .collect();
    let content = workbook(&rows);
    let last = Workbook::new(&content).value(0, Cell { row: 1999, column: 39 });
    assert_eq!(last, Ok(Value::Number(79_961.0)));
}

#[test]
fn a_cycle_through_all_rows_is_found() {
    let content = workbook(&column(2000, |row| format!("=A{}", row % 2000 + 1)));
    let value = Workbook::new(&content).value(0, Cell { row: 700, column: 0 });
    assert_eq!(value, Ok(Value::Error(CellError::Cycle)));
}

#[test]
fn too_many_visits_are_refused_and_one_fewer_is_not() {
    let mut rows = column(1000, |_| "1".to_owned());
    rows[0].push("=SUM(A1:A1000)".to_owned());
    rows[1..].iter_mut().for_each(|row| row.push(String::new()));
    let content = workbook(&rows);
    let cell = Cell { row: 0, column: 1 };
    // The cell itself and the thousand of its range.
    assert_eq!(Workbook::bounded(&content, 1001).value(0, cell), Ok(Value::Number(1000.0)));
    assert_eq!(Workbook::bounded(&content, 1000).value(0, cell), Err(TooLarge));
}

#[test]
fn a_text_does_not_double_for_ever() {
    let doubled = |cells: usize| {
        let content = workbook(&column(cells, |row| match row {
            1 => "\u{20}123456789".to_owned(),
            row => format!("=A{0}&A{0}", row - 1),
        }));
        Workbook::new(&content).value(0, Cell { row: cells - 1, column: 0 })
    };
    assert!(matches!(doubled(10), Ok(Value::Text(text)) if text.len() == 5120));
    assert_eq!(doubled(11), Ok(Value::Error(CellError::WrongType)));
    let joined = |more: &str| value_of("=A1&A2", &["x".repeat(5000).as_str(), &format!("{}{more}", "x".repeat(5000))]);
    assert!(matches!(joined(""), Value::Text(text) if text.len() == 10_000));
    assert_eq!(joined("x"), Value::Error(CellError::WrongType));
    assert_eq!(doubled(2000), Ok(Value::Error(CellError::WrongType)));
}

#[test]
fn a_text_costs_visits_each_time_that_it_is_handed_out() {
    let content = workbook(&column(100, |row| if row == 1 { "x".repeat(8_000) } else { "=A$1".to_owned() }));
    let all = |visits| {
        let mut workbook = Workbook::bounded(&content, visits);
        (0..100).try_for_each(|row| workbook.value(0, Cell { row, column: 0 }).map(drop))
    };
    assert_eq!(all(100_000), Err(TooLarge));
    assert_eq!(all(101_000), Ok(()));
}

#[test]
fn a_formula_that_cells_may_not_have_is_an_error_of_its_own() {
    assert_eq!(value_of("=1", &[]), Value::Number(1.0));
    let mut content = workbook(&column(2, |row| format!("=A{}", row + 1)));
    // As in a file that is older than the rule.
    content.sheets[0].cells[1][0] = "=TODAY()".to_owned();
    assert_eq!(Workbook::new(&content).value(0, Cell { row: 0, column: 0 }), Ok(Value::Error(CellError::Unreadable)));
}

#[test]
fn each_text_that_is_read_as_a_number_counts() {
    let long = "1".repeat(8_000);
    for term in ["ABS(A1)", "-A1", "A1%", "IF(A1,1,2)", "ROUND(A1,1)", "SUM(A1&\"\")"] {
        let content = workbook(&[vec![long.clone(), format!("={term}")]]);
        let visits = |most| Workbook::bounded(&content, most).value(0, Cell { row: 0, column: 1 });
        assert_eq!(visits(1_000), Err(TooLarge), "{term}");
        assert!(visits(10_000).is_ok(), "{term}");
    }
}
