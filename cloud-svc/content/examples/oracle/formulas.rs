//! Random formulas, written as Calc writes them: without spaces, functions in uppercase.

use cloud_content::spreadsheets::a1::column::letters;

use crate::{dice::Dice, workbooks};

const FUNCTIONS: [&str; 8] = ["SUM", "AVERAGE", "MIN", "MAX", "COUNT", "IF", "ROUND", "ABS"];
// Arithmetic is more frequent than the rest, as in workbooks of people.
const OPERATORS: [&str; 20] =
    ["+", "+", "+", "-", "-", "-", "*", "*", "*", "/", "/", "^", "&", "=", "<>", "<", "<=", ">", ">=", "="];
const TEXTS: [&str; 14] =
    ["", "a", "A", "abc", "12", " 5 ", "1,200", "50%", "TRUE", "é", "x\"\"y", "2026-11-24", "b!A1", "-3"];

/// What a formula can refer to.
pub struct Scope<'a> {
    pub sheets: &'a [String],
    pub rows: usize,
}

pub fn formula(dice: &mut Dice, scope: &Scope<'_>) -> String {
    let mut formula = "=".to_owned();
    let depth = 1 + dice.below(3);
    expression(dice, scope, depth, &mut formula);
    formula
}

fn expression(dice: &mut Dice, scope: &Scope<'_>, depth: usize, out: &mut String) {
    operand(dice, scope, depth, out);
    for _ in 0..[0, 0, 1, 1, 2][dice.below(5)] {
        out.push_str(dice.pick::<&str>(&OPERATORS));
        operand(dice, scope, depth, out);
    }
}

fn operand(dice: &mut Dice, scope: &Scope<'_>, depth: usize, out: &mut String) {
    if dice.once_in(8) {
        out.push('-');
    }
    match dice.below(if depth == 0 { 8 } else { 12 }) {
        0 | 1 => out.push_str(&unsigned(dice)),
        2 if dice.once_in(3) => *out += &format!("\"{}\"", dice.pick(&TEXTS)),
        3 if dice.once_in(6) => out.push_str(dice.pick::<&str>(&["TRUE", "FALSE"])),
        2..=6 => reference(dice, scope, out),
        7 if dice.once_in(4) => range(dice, scope, out),
        7 => reference(dice, scope, out),
        8 => {
            out.push('(');
            expression(dice, scope, depth - 1, out);
            out.push(')');
        }
        _ => call(dice, scope, depth - 1, out),
    }
    if dice.once_in(16) {
        out.push('%');
    }
}

fn unsigned(dice: &mut Dice) -> String {
    workbooks::number(dice).trim_start_matches('-').to_owned()
}

fn call(dice: &mut Dice, scope: &Scope<'_>, depth: usize, out: &mut String) {
    let function = *dice.pick(&FUNCTIONS);
    out.push_str(function);
    out.push('(');
    let (least, most) = match function {
        "ABS" => (1, 1),
        "ROUND" => (1, 2),
        "IF" => (1, 3),
        _ => (1, 3),
    };
    for index in 0..least + dice.below(most - least + 1) {
        if index > 0 {
            out.push(',');
        }
        match (function, index) {
            ("ROUND", 1) => *out += *dice.pick(&["0", "1", "2", "3", "-1", "-2", "5"]),
            ("SUM" | "AVERAGE" | "MIN" | "MAX" | "COUNT", _) if dice.once_in(2) => range(dice, scope, out),
            _ if dice.once_in(20) && most > 1 => {}
            _ => expression(dice, scope, depth, out),
        }
    }
    out.push(')');
}

fn sheet(dice: &mut Dice, scope: &Scope<'_>, out: &mut String) {
    if dice.once_in(3) {
        let name = dice.pick(scope.sheets);
        let is_plain = name.chars().all(char::is_alphabetic);
        if is_plain { *out += &format!("{name}!") } else { *out += &format!("'{}'!", name.replace('\'', "''")) }
    }
}

fn mark(dice: &mut Dice) -> &'static str {
    if dice.once_in(6) { "$" } else { "" }
}

fn line(dice: &mut Dice, out: &mut String, is_column: bool, lines: usize) {
    let mark = mark(dice);
    let index = dice.below(lines);
    *out += &if is_column { format!("{mark}{}", letters(index)) } else { format!("{mark}{}", index + 1) };
}

fn reference(dice: &mut Dice, scope: &Scope<'_>, out: &mut String) {
    sheet(dice, scope, out);
    line(dice, out, true, 6);
    line(dice, out, false, scope.rows);
}

fn range(dice: &mut Dice, scope: &Scope<'_>, out: &mut String) {
    sheet(dice, scope, out);
    // In order: Calc sorts the ends of a range when it reads it.
    let mut pair = |sides: usize| {
        let (one, other) = (dice.below(sides), dice.below(sides));
        (one.min(other), one.max(other))
    };
    let ((left, right), (top, bottom)) = (pair(6), pair(scope.rows));
    let (left, right) = (letters(left), letters(right));
    let (top, bottom) = (top + 1, bottom + 1);
    let [one, two, three, four] = [mark(dice), mark(dice), mark(dice), mark(dice)];
    *out += &match dice.below(8) {
        0 if scope.rows == workbooks::EVERYWHERE => format!("{one}{left}:{three}{right}"),
        1 => format!("{two}{top}:{four}{bottom}"),
        _ => format!("{one}{left}{two}{top}:{three}{right}{four}{bottom}"),
    };
}
