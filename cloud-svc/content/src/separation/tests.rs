//! How many operations a plan is cut into.

use std::collections::{BTreeSet, HashSet};

use serde_json::json;
use shared_model::json_reader;

use super::{OperationLimits, Separated, separate};
use crate::{
    edited::edited,
    preview::Severity,
    spreadsheets::{content::SpreadsheetContent, edit::operation::SpreadsheetOperation},
    test_support::plans::content,
};

#[test]
fn a_plan_is_not_cut_into_more_operations_than_are_wanted() {
    let cells = |text: &str| vec![vec![text.to_owned(); 30]; 30];
    let base: SpreadsheetContent =
        content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells("old")}]}));
    let set = |text: &str| -> SpreadsheetOperation {
        let set = json!({"op": "set_cells", "sheet": "S", "range": "A1:AD30", "values": cells(text)});
        json_reader::read(&set).expect("an operation")
    };
    let operations = ["one", "two"].map(set);
    // No two of these cells of the first operation are next to each other.
    let chosen: BTreeSet<usize> = (0..900).filter(|index| (index / 30 + index % 30) % 2 == 0).collect();
    let cut = |part, rest| {
        let most = OperationLimits { part, rest };
        separate::<SpreadsheetContent>(&base, &operations, &HashSet::new(), &chosen, most).expect("an answer")
    };
    for (part, rest) in [(50, 50), (usize::MAX, 450), (449, usize::MAX)] {
        let cut = cut(part, rest);
        assert!(matches!(cut, Separated::TooMany { part: 450, rest: 451 }), "{part} {rest}: {cut:?}");
    }
    assert!(matches!(cut(450, 451), Separated::Into(_)));
}

#[test]
fn a_fill_that_is_cut_keeps_its_warnings() {
    let cells = json!([["x", ""], ["", "=A1+$A$1"]]);
    let base: SpreadsheetContent = content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}));
    let fill = json!({"op": "fill", "sheet": "S", "from": "B2", "range": "A1:B1"});
    let whole: Vec<SpreadsheetOperation> = vec![json_reader::read(&fill).expect("an operation")];
    let any = OperationLimits { part: usize::MAX, rest: usize::MAX };
    let cut = separate::<SpreadsheetContent>(&base, &whole, &HashSet::new(), &BTreeSet::from([0]), any);
    let Ok(Separated::Into(cut)) = cut else { panic!("{cut:?}") };
    let high = |operations: &[SpreadsheetOperation]| {
        let (_, preview) = edited(&base, operations, HashSet::new()).expect("possible");
        preview.warnings.iter().filter(|warning| warning.severity == Severity::High).count()
    };
    assert_eq!(high(&whole), 2);
    assert_eq!((high(&cut.part), high(&cut.rest)), (1, 1));
}
