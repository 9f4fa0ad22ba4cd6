//! Which texts are formulas, and that hostile text is refused without harm.

use proptest::prelude::*;

use super::{check, error::FUNCTIONS, sheet_names::SheetNames};

fn is_allowed(formula: &str) -> bool {
    check(formula, &["Budget", "It's 2026", "Übersicht", "[http://e/b.xlsx]S", "a/b"].into_iter().collect()).is_ok()
}

#[test]
#[rustfmt::skip]
fn arithmetic_literals_references_and_the_eight_functions_are_allowed() {
    for formula in [
        "=1", "=1.5", "=.5", "=5.", "=1e3", "=1E-3", "=-1", "=+-1", "=50%", "=50%%", "=-A1%", "=\"a\"", "=\"\"",
        "=\"say \"\"x\"\"\"", "=TRUE", "=false", "=A1", "=$A$1", "=a1", "=A$1+$A1", "=XFD1048576", "=A1:B2",
        "=$A$1:$B$2", "=SUM(A:A)", "=SUM($A:$C)", "=SUM(1:3)", "=SUM($1:$3)", "=Budget!A1", "=BUDGET!A1:B2",
        "=Übersicht!A1", "='Budget'!A1", "='It''s 2026'!$A$1", "= 1 +\t2 -\n3 * 4 / 5 ^ 6 & \"x\"", "=1=1", "=1<>2",
        "=1<=2", "=1>=2", "=1<2", "=1>2", "=(1)", "=((A1+B1)*2)", "=SUM(A1,B1:B9,3)", "=sum(A1)", "=Average(A1:A3)",
        "=MIN(1,2)", "=MAX(1,2)", "=COUNT(A1:A9)", "=ROUND(A1/3, 2)", "=ABS(-1)", "=IF(A1>0,\"yes\",\"no\")",
        "=IF(A1,,1)", "=IF( SUM(A1:A3) > 10 , MAX(A1:A3) , ABS( - B1 ) )", "=\"=WEBSERVICE(1)\"", "=LOG10", "=A1 ",
        "=\"\u{200b}\"",
    ] {
        assert!(is_allowed(formula), "{formula}");
    }
}

#[test]
#[rustfmt::skip]
fn everything_else_is_refused() {
    for formula in [
        "", "=", "= ", "==1", "1", "=1 2", "=A1 B1", "=1+", "=*1", "=1++", "=(", "=()", "=(1", "=1)", "=,", "=1,2",
        "=1;2", "=SUM(1;2)", "=SUM(", "=SUM(1", "=SUM(1,", "=SUM", "=SUM (A1)", "=SUM\t(A1)", "=SUMM(A1)",
        "=WEBSERVICE(\"http://e\")", "=HYPERLINK(\"a\")", "=INDIRECT(\"A1\")", "=_xlfn.WEBSERVICE(\"u\")",
        "=_xlfn.SUM(1)", "=LAMBDA(x,WEBSERVICE(x))(\"u\")", "=LAMBDA(x,x)(1)", "=SUM(1)(2)", "=A1(2)", "=LET(a,1,a)",
        "=TRUE()", "=LOG10(1)", "=SUM(WEBSERVICE(1))", "=IF(1,IMPORTXML(1),2)", "='[http://e/b.xlsx]S'!A1",
        "=[b.xlsx]S!A1", "='http://e/b'!A1", "='C:\\b\\[b.xlsx]S'!A1", "='a/b'!A1", "='b.xlsx'!A1", "=Budgett!A1",
        "=Budget!", "=Budget!SUM(A1)", "=Budget!A1!B2", "=Budget!Budget!A1", "=Budget:Budget!A1", "=Budget !A1",
        "=Budget! A1", "=A1:Budget!B2", "='Budget!A1", "='Budget'A1", "=''!A1", "=@A1", "=@SUM(A1)", "=A1#", "=#REF!",
        "=#N/A", "=Budget!#REF!", "={1,2}", "={1;2}", "=SUM({1})", "=R[1]C[1]", "=R1C1", "=RC", "=Table1[Column]",
        "=Table1[#All]", "=[@Column]", "=MyName", "=_x", "=x.y", "=A1:B2:C3", "=A1:B", "=A:1", "=A", "=A0", "=A01",
        "=XFE1", "=A1048577", "=$$A1", "=A$$1", "=A$", "=$", "=A$:B", "=A1.", "=1E", "=1E+", "=1A1", "=1.2.3", "=.",
        "=1:A", "=1:", "=0:1", "=\"a", "=\"a\"\"", "=\"a\"b", "='a", "=cmd|'/C calc'!A0", "=DDE(\"a\";\"b\")", "=1!",
        "=1//2", "=1=>2", "=1><2", "=1!=2", "=1**2", "=%1", "=1%1", "=!A1", "=1\u{a0}+1", "=1\r+1", "\u{ff1d}1",
        "=ＳＵＭ(A1)", "=SUM（A1）", "=Ａ1", "=A１", "=１", "=SU\u{200b}M(A1)", "=\u{200b}SUM(A1)", "=SUM\u{200b}(A1)", "=А1",
        "=ЅUM(1)", "=ſum(1)", "=A1\u{0}", "=1\\2", " =1", "'=1", "=`A1`", "=A1|B1", "=A1~B1", "=A1∪B1", "=1×2",
        "=1−2", "=‘Budget’!A1", "=“a”",
    ] {
        assert!(!is_allowed(formula), "{formula:?}");
    }
}

#[test]
fn nesting_is_bounded_and_length_is_not_a_matter_of_the_stack() {
    let parentheses = |depth: usize| format!("={}1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(is_allowed(&parentheses(64)));
    assert!(!is_allowed(&parentheses(65)));
    assert!(!is_allowed(&parentheses(500)));
    assert!(!is_allowed(&format!("={}", "(".repeat(1_000_000))));
    assert!(!is_allowed(&format!("={}", "SUM(".repeat(1_000_000))));
    assert!(!is_allowed(&format!("={}1", "-".repeat(10_000))));
    assert!(!is_allowed(&format!("={}1", "- ".repeat(10_000))));
    assert!(!is_allowed(&format!("=1{}", "%".repeat(10_000))));
    assert!(is_allowed(&format!("=1{}", "+1".repeat(4_999))));
    assert!(is_allowed(&format!("=SUM(1{})", ",1".repeat(4_999))));
    assert!(!is_allowed(&format!("=\"{}", "\"\"".repeat(500_000))));
}

#[test]
fn the_error_says_what_is_wrong_and_at_which_character() {
    let error = |formula: &str| {
        let error = check(formula, &SheetNames::default()).expect_err("refused");
        format!("{}: {}", error.character, error.what)
    };
    assert_eq!(error("="), "2: it ends too early");
    assert_eq!(error("=\"é\"+WEBSERVICE(1)"), "6: \"WEBSERVICE\" is not one of the functions");
    assert_eq!(error("=1+@A1"), "4: \"@\" is not expected");
    assert_eq!(error("=1+ Budget!A1"), "5: \"Budget\" is no sheet of this workbook that can be referred to");
    assert_eq!(error("=SUM (A1)"), "2: \"SUM\" is no function with its parenthesis, no boolean and no reference");
    assert_eq!(error("=1+\"a"), "4: a \" has no other that ends it");
    assert_eq!(error("=1\u{202e}"), "3: \"\\u{202e}\" is not expected");
    assert_eq!(
        check("=NOW()", &SheetNames::default()).expect_err("refused").to_string(),
        "must be a formula of operators, literals, references to cells of this workbook and the functions SUM, AVERAGE, \
         MIN, MAX, COUNT, IF, ROUND, ABS: at character 2, \"NOW\" is not one of the functions"
    );
}

/// Finds what looks like a call without knowing the grammar: outside of quotation marks, each run of characters before a
/// parenthesis that are no blank, operator, comma or other parenthesis.
fn called(formula: &str) -> Vec<String> {
    let mut quote = None;
    let mut word = String::new();
    let mut called = Vec::new();
    for c in formula.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => called.push(std::mem::take(&mut word)),
            (None, ' ' | '\t' | '\n' | '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<' | '>' | '%' | ',' | ')') => {
                word.clear()
            }
            (None, _) => word.push(c),
        }
    }
    called.retain(|word| !word.is_empty());
    called
}

/// Pieces of formulas, put together with no regard to the grammar.
#[rustfmt::skip]
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(" "), Just("("), Just(")"), Just("("), Just(")"), Just(","), Just("+"), Just("-"), Just("%"), Just("<>"),
        Just("&"), Just(":"), Just("!"), Just("$"), Just("\""), Just("'"), Just("#"), Just("@"), Just("["), Just("{"),
        Just("SUM"), Just("SUM("), Just("if("), Just("WEBSERVICE"), Just("_xlfn."), Just("LAMBDA(x,x)"),
        Just("Budget"), Just("Budget!"), Just("'Budget'!"), Just("A1"), Just("B2"), Just("A"), Just("1"), Just("1.5"),
        Just("\"a\""), Just("\"\"\"\""), Just("TRUE"), Just("é"), Just("\u{200b}"), Just("Ａ1"), Just("R1C1"),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| format!("={}", pieces.concat()))
}

/// Formulas of the grammar, made from its top.
fn sentences() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[0-9]{1,3}(\\.[0-9]{0,2})?",
        "\"([a-z(é]|\"\"){0,4}\"",
        "\\$?[A-Z]{1,2}\\$?[1-9][0-9]?(:[A-Z][1-9])?",
        "Budget![A-C][1-9]",
        "'It''s 2026'![A-C][1-9]",
        "true|FALSE",
        "\\$?[A-C]:[A-C]",
        "[1-9]:\\$?[1-9]",
    ];
    let expression = leaf.prop_recursive(5, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), "[-+*/^&=<>]|<>|<=|>=", " ?", inner.clone())
                .prop_map(|(left, operator, blank, right)| format!("{left}{blank}{operator}{blank}{right}")),
            inner.clone().prop_map(|inner| format!("({inner})")),
            inner.clone().prop_map(|inner| format!("-{inner}%")),
            (proptest::sample::select(&FUNCTIONS), proptest::collection::vec(inner, 1..4))
                .prop_map(|(function, arguments)| format!("{function}({})", arguments.join(", "))),
        ]
    });
    expression.prop_map(|expression| format!("={expression}"))
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,40}", bytes in proptest::collection::vec(any::<char>(), 0..40)) {
        is_allowed(&text);
        is_allowed(&format!("={text}"));
        is_allowed(&format!("={}", bytes.into_iter().collect::<String>()));
    }

    #[test]
    fn what_is_accepted_calls_no_other_function(formula in prop_oneof![pieces(), sentences()]) {
        if is_allowed(&formula) {
            for name in called(&formula) {
                prop_assert!(FUNCTIONS.contains(&&*name.to_uppercase()), "{} calls {}", formula, name);
            }
        }
    }

    #[test]
    fn whatever_the_grammar_makes_is_accepted(formula in sentences()) {
        prop_assert!(is_allowed(&formula), "{}", formula);
    }

    #[test]
    fn one_call_of_another_function_anywhere_is_refused(formula in sentences(), name in "[A-Za-z_][A-Za-z_.]{0,9}") {
        prop_assume!(!FUNCTIONS.contains(&&*name.to_uppercase()));
        for call in [format!("{formula}+{name}(1)"), format!("={name}({})", &formula[1..])] {
            prop_assert!(!is_allowed(&call), "{}", call);
        }
    }
}
