//! What operators and functions make of numbers, texts, booleans, empty cells and errors, as LibreOffice Calc 7.4 does.

use proptest::prelude::*;

use super::{value_of, values, workbook};
use crate::spreadsheets::{
    a1::cell::Cell,
    compute::{
        Workbook,
        arithmetic::floor,
        value::{CellError, Value},
    },
};

// Cells A1 to A9.
const CELLS: [&str; 9] = ["12", "\u{20}5 ", "abc", "TRUE", "", "=1/0", "=A5", "=\"\"", "-2.5"];

fn check(table: &[(&str, &str)]) {
    for (formula, value) in table {
        assert_eq!(value_of(formula, &CELLS).shown(), *value, "{formula}");
    }
}

#[test]
fn operators_take_texts_as_numbers_where_they_are_numbers() {
    check(&[
        ("=A1+1", "13"),
        ("=A2+1", "6"),
        ("=A3+1", "#VALUE!"),
        ("=A4+1", "2"),
        ("=A5+1", "1"),
        ("=A6+1", "#DIV/0!"),
        ("=A8+1", "#VALUE!"),
        ("=\"1,200\"*2", "2400"),
        ("=\"12%\"+0", "0.12"),
        ("=\"2026-11-24\"-\"2026-11-01\"", "23"),
        ("=-A3", "#VALUE!"),
        ("=+A3", "abc"),
        ("=A1%", "0.12"),
        ("=-A4", "-1"),
        ("=-2^2", "4"),
        ("=2^3^2", "64"),
        ("=8-2-2", "4"),
        ("=2--3", "5"),
        ("=1-50%", "0.5"),
        ("=(-8)^(1/3)", "-2"),
        ("=(-8)^0.5", "#NUM!"),
        ("=0^0", "1"),
        ("=0^-1", "#NUM!"),
        ("=1E308*10", "#NUM!"),
        ("=1E-200^2", "#NUM!"),
        ("=1E-300*1E-300", "0"),
        ("=0/0", "#DIV/0!"),
        ("=0.1+0.2-0.3", "0"),
        ("=1.1-1-0.1", "0"),
        ("=#REF!+1", "#REF!"),
    ]);
}

#[test]
fn texts_are_joined_with_numbers_of_fifteen_digits() {
    check(&[
        ("=A1&\"x\"", "12x"),
        ("=1/3&\"\"", "0.333333333333333"),
        ("=0.1+0.2&\"\"", "0.3"),
        ("=1=1&\"\"", "FALSE"),
        ("=A4&\"\"", "1"),
        ("=A5&\"x\"", "x"),
        ("=A7&\"x\"", "0x"),
        ("=IF(1,A5)&\"x\"", "x"),
        ("=1&2*3", "16"),
        ("=A6&\"x\"", "#DIV/0!"),
        ("=1E16&\"\"", "1E+016"),
    ]);
}

#[test]
fn numbers_stand_before_texts_and_an_empty_cell_equals_both() {
    check(&[
        ("=A5=0", "TRUE"),
        ("=A5=\"\"", "TRUE"),
        ("=A7=\"\"", "TRUE"),
        ("=A5=FALSE", "TRUE"),
        ("=A5<\"a\"", "TRUE"),
        ("=(-A5)=\"\"", "FALSE"),
        ("=A1<\"1\"", "TRUE"),
        ("=\"12\"=12", "FALSE"),
        ("=TRUE=1", "TRUE"),
        ("=TRUE<\"a\"", "TRUE"),
        ("=\"a\"=\"A\"", "FALSE"),
        ("=\"a\"<\"B\"", "TRUE"),
        ("=\"B\"<\"a\"", "FALSE"),
        ("=\"é\"<\"f\"", "TRUE"),
        ("=\"a-b\"<\"ab\"", "TRUE"),
        ("=\"Z\"<\"_\"", "FALSE"),
        ("=0.1+0.2=0.3", "TRUE"),
        ("=0.1+0.2<=0.3", "TRUE"),
        ("=1=1+1E-15", "TRUE"),
        ("=1=1+1E-14", "FALSE"),
        ("=1<2<3", "TRUE"),
        ("=A6=A6", "#DIV/0!"),
    ]);
}

#[test]
fn functions_skip_texts_in_cells_and_refuse_them_as_arguments() {
    check(&[
        ("=SUM(A1:A4)", "13"),
        ("=SUM(A2)", "0"),
        ("=SUM(\"12\")", "#VALUE!"),
        ("=SUM(A2+0)", "5"),
        ("=SUM(TRUE,1)", "2"),
        ("=SUM()", "0"),
        ("=SUM(A:A)", "#DIV/0!"),
        ("=SUM(IF(1,A1:A2))", "12"),
        ("=SUM(-A1)", "-12"),
        ("=SUM(A9:A9)", "-2.5"),
        ("=AVERAGE(A1,A5)", "12"),
        ("=AVERAGE(A2)", "#DIV/0!"),
        ("=AVERAGE(1,)", "0.5"),
        ("=AVERAGE(\"a\")", "#VALUE!"),
        ("=MIN(A1:A4)", "1"),
        ("=MIN(A2:A3)", "0"),
        ("=MIN(1,)", "0"),
        ("=MIN()", "#VALUE!"),
        ("=MAX(A7,-3)", "0"),
        ("=MAX(A5,-3)", "-3"),
        ("=MAX(\"12\")", "#VALUE!"),
        ("=COUNT(A1:A9)", "4"),
        ("=COUNT(\"12\")", "1"),
        ("=COUNT(\"abc\")", "0"),
        ("=COUNT(A2)", "0"),
        ("=COUNT(1,)", "2"),
        ("=COUNT(1/0,1)", "1"),
        ("=COUNT(A7)", "1"),
        ("=COUNT(A5)", "0"),
        ("=SUM(1,1E100,1,-1E100)", "2"),
    ]);
}

#[test]
fn if_calculates_only_what_it_chooses() {
    check(&[
        ("=IF(A1,1,2)", "1"),
        ("=IF(A5,1,2)", "2"),
        ("=IF(A3,1,2)", "#VALUE!"),
        ("=IF(\"TRUE\",1,2)", "1"),
        ("=IF(A6,1,2)", "#DIV/0!"),
        ("=IF(TRUE,1,A6)", "1"),
        ("=IF(FALSE,B1,2)", "2"),
        ("=IF(0,1)", "FALSE"),
        ("=IF(1)", "TRUE"),
        ("=IF(1,)", "0"),
        ("=IF(0,1,)", "0"),
        ("=IF()", "#VALUE!"),
        ("=IF(1,2,3,4)", "#VALUE!"),
        ("=IF(1,A5)", "0"),
    ]);
}

#[test]
fn round_goes_away_from_zero_at_the_decimal_half() {
    check(&[
        ("=ROUND(2.5)", "3"),
        ("=ROUND(-2.5,0)", "-3"),
        ("=ROUND(1.005,2)", "1.01"),
        ("=ROUND(2.345,2)", "2.35"),
        ("=ROUND(1250,-2)", "1300"),
        ("=ROUND(1234,-4)", "0"),
        ("=ROUND(15,-1.5)", "20"),
        ("=ROUND(1.23456,2.9)", "1.23"),
        ("=ROUND(0.49999999999999994,0)", "0"),
        ("=ROUND(-0.4,0)", "0"),
        ("=ROUND(1E300,2)", "1E+300"),
        ("=ROUND(1.5,400)", "1.5"),
        ("=ROUND(1.5,-400)", "0"),
        ("=ROUND(1.5,40000)", "#VALUE!"),
        ("=ROUND()", "#VALUE!"),
        ("=ROUND(\"1.26\",1)", "1.3"),
        ("=ABS(\"-3\")", "3"),
        ("=ABS(A3)", "#VALUE!"),
        ("=ABS()", "#VALUE!"),
        ("=COUNT(ABS(),1)", "#VALUE!"),
    ]);
}

#[test]
fn an_operator_takes_the_cell_of_a_range_beside_the_formula() {
    // The formula is in B1.
    check(&[
        ("=A1:A9*2", "24"),
        ("=A:A+0", "12"),
        ("=A2:A9*2", "#VALUE!"),
        ("=A9:C9*2", "0"),
        ("=A9:A9", "-2.5"),
        ("=1:1", "#CYCLE!"),
        ("=SUM(A1:A2*1)", "12"),
        ("=ABS(A1:A3)", "12"),
        ("=XFD1048576", "0"),
        ("=SUM(C:XFD)", "0"),
    ]);
}

#[test]
fn no_value_is_a_negative_zero() {
    assert!(matches!(Value::number(-0.0), Value::Number(zero) if zero.is_sign_positive()));
    assert!(matches!(Value::number(f64::INFINITY), Value::Error(CellError::NotANumber)));
}

#[test]
fn a_number_whose_last_bits_are_known_is_not_taken_for_the_next_integer() {
    let (large, step) = (2f64.powi(40), 2f64.powi(-11));
    assert_eq!(floor(large - step), large - 1.0);
    assert_eq!(floor(2.0 - 2f64.powi(-52)), 2.0);
    assert_eq!(floor(f64::MAX), f64::MAX);
}

#[test]
fn what_depends_on_itself_is_a_cycle_and_so_is_what_depends_on_that() {
    let rows = [
        ["=B1", "=A1", "=A1+1"],
        ["=A2", "=COUNT(B2:C2)", "5"],
        ["=SUM(A3:C3)", "1", "=IF(1,2,C3)"],
        ["=IF(B4=0,C4,A4)", "0", "7"],
        // D5 of a cycle that one of its cells hides by counting: all of it is a cycle, wherever it begins.
        ["=B5+C5", "=A5", "=COUNT(B5)"],
    ];
    let content = workbook(&rows.map(|row| row.map(str::to_owned).to_vec()));
    assert_eq!(
        values(&content),
        [
            ["#CYCLE!", "#CYCLE!", "#CYCLE!"],
            ["#CYCLE!", "#CYCLE!", "5"],
            ["#CYCLE!", "1", "2"],
            ["7", "0", "7"],
            ["#CYCLE!", "#CYCLE!", "#CYCLE!"],
        ]
    );
}

/// A formula about cells of a square.
fn formula() -> impl Strategy<Value = String> {
    let cell = || "[A-D][1-4]";
    prop_oneof![
        (cell(), "[+*&=-]", cell()).prop_map(|(one, operator, other)| format!("={one}{operator}{other}")),
        (cell(), cell()).prop_map(|(one, other)| format!("=SUM({one}:{other})")),
        (cell(), cell()).prop_map(|(one, other)| format!("=COUNT({one},{other})")),
        (cell(), cell(), cell()).prop_map(|(one, two, three)| format!("=IF({one}=0,{two},{three})")),
        "[0-9]",
        Just(String::new()),
    ]
}

proptest! {
    #[test]
    fn the_order_of_questions_changes_no_value(
        texts in proptest::collection::vec(formula(), 16), order in Just((0..16).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let content = workbook(&texts.chunks(4).map(<[String]>::to_vec).collect::<Vec<_>>());
        let mut shuffled = Workbook::new(&content);
        for place in order {
            let cell = Cell { row: place / 4, column: place % 4 };
            let alone = Workbook::new(&content).value(0, cell);
            prop_assert_eq!(shuffled.value(0, cell), alone, "{:?} of {:?}", cell, texts);
        }
    }
}
