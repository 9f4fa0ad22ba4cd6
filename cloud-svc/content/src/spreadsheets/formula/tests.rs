//! Which texts are formulas, and that hostile text is refused without harm.

use proptest::prelude::*;

use super::{
    check,
    error::FUNCTIONS,
    parse, parse_stored, problems,
    rewrite::{Replacement, Rewritten, rewrite},
    sheet_names::SheetNames,
    tree::{Area, Chain, Expression, Line, PRECEDENCE, Reference},
    written::sheet_name,
};

fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(function, _)| *function == name.to_uppercase())
}

fn is_allowed(formula: &str) -> bool {
    check(formula, &["Budget", "It's 2026", "Übersicht", "Q_1.b", "[http://e/b.xlsx]S", "a/b"].into_iter().collect())
        .is_ok()
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
        "=\"\u{200b}\"", "=#REF!", "=SUM(#REF!,1)", "=Budget!#REF!", "='It''s 2026'!#REF!", "=-#REF!%", "=#REF!+#REF!",
        "=Q_1.b!A1",
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
        "=Budget! A1", "=A1:Budget!B2", "='Budget!A1", "='Budget'A1", "=''!A1", "=@A1", "=@SUM(A1)", "=A1#",
        "=#N/A", "=#REF", "=#REF!A1", "=A1:#REF!", "=#REF!:A1", "=#ref!", "=Budgett!#REF!", "={1,2}", "={1;2}", "=SUM({1})", "=R[1]C[1]", "=R1C1", "=RC", "=Table1[Column]",
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
    assert_eq!(error("=1+ Budget!A1"), "5: \"Budget\" is not a sheet of this workbook that can be used");
    assert_eq!(error("=SUM (A1)"), "2: \"SUM\" is not a function with its parenthesis, a boolean or a reference");
    assert_eq!(error("=A1:$B"), "2: \"A1:$B\" is not a function with its parenthesis, a boolean or a reference");
    assert_eq!(error("=#N/A"), "2: \"#\" is not expected");
    assert_eq!(error("=1+\"a"), "4: a \" is never closed");
    assert_eq!(error("=1\u{202e}"), "3: \"\\u{202e}\" is not expected");
    assert_eq!(
        check("=NOW()", &SheetNames::default()).expect_err("refused").to_string(),
        "must be a formula of operators, literals, references to cells of this workbook and the functions SUM, AVERAGE, \
         MIN, MAX, COUNT, IF, ROUND, ABS: at character 2, \"NOW\" is not one of the functions"
    );
}

/// Finds what looks like a call without knowing the grammar. Outside of quotation marks, it is each run of characters
/// before a parenthesis. None of them is a space, operator, comma or other parenthesis.
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
            (
                proptest::sample::select(FUNCTIONS.map(|(name, _)| name).to_vec()),
                proptest::collection::vec(inner, 1..4)
            )
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
                prop_assert!(is_function(&name), "{} calls {}", formula, name);
            }
        }
    }

    #[test]
    fn whatever_the_grammar_makes_is_accepted(formula in sentences()) {
        prop_assert!(is_allowed(&formula), "{}", formula);
    }

    #[test]
    fn one_call_of_another_function_anywhere_is_refused(formula in sentences(), name in "[A-Za-z_][A-Za-z_.]{0,9}") {
        prop_assume!(!is_function(&name));
        for call in [format!("{formula}+{name}(1)"), format!("={name}({})", &formula[1..])] {
            prop_assert!(!is_allowed(&call), "{}", call);
        }
    }
}

/// The tree in full parentheses.
fn shown(expression: &Expression) -> String {
    match expression {
        Expression::Number(number) => number.to_string(),
        Expression::Text(text) => format!("{text:?}"),
        Expression::Boolean(value) => value.to_string(),
        Expression::Reference(Reference { sheet, area, .. }) => {
            let sheet = sheet.as_ref().map(|sheet| format!("{}!", sheet.name)).unwrap_or_default();
            let line = |line: Line| format!("{}{}", if line.is_absolute { "$" } else { "" }, line.index);
            let lines = |[first, last]: [Line; 2]| format!("{}-{}", line(first), line(last));
            match *area {
                Area::Cell { column, row } => format!("{sheet}c{}r{}", line(column), line(row)),
                Area::Cells { columns, rows } => format!("{sheet}c{}r{}", lines(columns), lines(rows)),
                Area::Columns(columns) => format!("{sheet}c{}", lines(columns)),
                Area::Rows(rows) => format!("{sheet}r{}", lines(rows)),
                Area::Lost => format!("{sheet}lost"),
            }
        }
        Expression::Negated(inner) => format!("(-{})", shown(inner)),
        Expression::Percent(inner) => format!("({}%)", shown(inner)),
        Expression::Chain(Chain { first, rest }) => {
            let token = |operator| PRECEDENCE.concat().iter().find(|(_, one)| *one == operator).expect("a token").0;
            let rest = rest.iter().map(|(operator, operand)| format!("{}{}", token(*operator), shown(operand)));
            format!("({}{})", shown(first), rest.collect::<String>())
        }
        Expression::Call(function, arguments) => {
            let arguments = arguments.iter().map(|argument| argument.as_ref().map(shown).unwrap_or_default());
            format!("{function:?}({})", arguments.collect::<Vec<_>>().join(","))
        }
    }
}

fn tree(formula: &str) -> Expression {
    parse(formula, &["Budget", "It's 2026"].into_iter().collect()).unwrap_or_else(|error| panic!("{formula}: {error}"))
}

#[test]
#[rustfmt::skip]
fn precedence_is_that_of_other_programs() {
    for (formula, expected) in [
        ("=-2^2", "((-2)^2)"), ("=2^-2", "(2^(-2))"), ("=2^3^4", "(2^3^4)"), ("=-5%", "(-(5%))"), ("=--5%%", "(-(-((5%)%)))"),
        ("=+-+5", "(-5)"), ("=1-2+3", "(1-2+3)"), ("=1-2*3/4^5", "(1-(2*3/(4^5)))"), ("=1+2&3*4", "((1+2)&(3*4))"),
        ("=1&2=3&4<>5", "((1&2)=(3&4)<>5)"), ("=1<=2", "(1<=2)"), ("=1>=2", "(1>=2)"), ("=(1+2)*3", "((1+2)*3)"),
        ("= ( 1 + 2 ) % ", "((1+2)%)"), ("=.5e1", "5"), ("=1e999", "inf"), ("=\"a\"\"b\"", "\"a\\\"b\""), ("=true", "true"),
        ("=A$1+$BL2", "(c0r$0+c$63r1)"), ("=SUM($A1:B$2)", "Sum(c$0-1r0-$1)"), ("=SUM(B2:A1)", "Sum(c1-0r1-0)"),
        ("=SUM(A:$C,$1:3)", "Sum(c0-$2,r$0-2)"), ("='It''s 2026'!A1", "It's 2026!c0r0"), ("=BUDGET!A:A", "BUDGET!c0-0"),
        ("=#REF!", "lost"), ("=Budget!#REF!", "Budget!lost"), ("=IF(A1,,\"x\")", "If(c0r0,,\"x\")"),
        ("=ABS()", "Abs()"), ("=ABS( )", "Abs()"), ("=ABS(,)", "Abs(,)"), ("=abs(-1)%", "(Abs((-1))%)"),
    ] {
        assert_eq!(shown(&tree(formula)), expected, "{formula}");
    }
}

#[test]
fn references_know_their_bytes() {
    let formula = "=\"é A1\"&'It''s 2026'!$A$1+Budget!B:C - #REF!";
    let expression = tree(formula);
    let parts = expression.references().into_iter().map(|reference| {
        let sheet = reference.sheet.as_ref().map(|sheet| &formula[sheet.bytes.clone()]);
        (sheet, &formula[reference.area_bytes.clone()])
    });
    assert_eq!(parts.collect::<Vec<_>>(), [(Some("'It''s 2026'"), "$A$1"), (Some("Budget"), "B:C"), (None, "#REF!")]);
}

#[test]
fn a_long_chain_is_flat() {
    let Expression::Chain(Chain { rest, .. }) = tree(&format!("=1{}", "-1".repeat(100_000))) else { panic!("a chain") };
    assert_eq!(rest.len(), 100_000);
}

#[test]
fn only_formulas_have_problems_and_each_at_its_cell() {
    let texts = [(1, "=1"), (2, "=NOW()"), (3, "NOW()"), (4, "=Budget!A1")];
    let problems = problems(texts.into_iter(), &SheetNames::default(), |cell| format!("/{cell}"));
    assert_eq!(problems.iter().map(|problem| problem.at.as_str()).collect::<Vec<_>>(), ["/2", "/4"]);
    let mut names = SheetNames::default();
    assert_eq!(["Budget", "BUDGET", "Plan"].map(|name| names.insert(name)), [true, false, true]);
}

#[test]
fn areas_are_written_as_they_are_read() {
    for area in ["B2", "$B2", "B$2", "XFD1048576", "$B2:C$3", "B:$C", "$2:3", "#REF!"] {
        let expression = parse_stored(&format!("={area}")).expect(area);
        assert_eq!(expression.references()[0].area.to_string(), area);
    }
}

#[test]
#[rustfmt::skip]
fn a_sheet_has_quotation_marks_where_other_programs_could_misread_its_name() {
    for name in ["Budget", "_2026", "Übersicht", "Q_1", "A", "ABCD1", "É1", "Cat", "A_1", "R_1"] {
        assert_eq!(sheet_name(name), name);
    }
    for name in ["Q 1", "2026", "Q.1", "-", "A1", "xfd9", "R1C1", "rc", "C", "true", "FALSE"] {
        assert_eq!(sheet_name(name), format!("'{name}'"));
    }
    assert_eq!(sheet_name("It's"), "'It''s'");
}

#[test]
fn a_rewritten_formula_differs_in_its_references_only() {
    let rewritten = |formula: &str, change: fn(&Reference) -> Option<Replacement>| {
        let rewritten = rewrite(formula, &tree(formula), change);
        rewritten.map(|Rewritten { text, loses_reference }| (text, loses_reference))
    };
    let formula = "=\"é A1\"&'It''s 2026'!$A$1+Budget!B:C - #REF!";
    let renamed = "=\"é A1\"&'Q 1'!$A$1+'Q 1'!B:C - #REF!";
    assert_eq!(rewritten(formula, |reference| reference.with_sheet("Q 1")), Some((renamed.to_owned(), false)));
    let lost = "=\"é A1\"&#REF!+#REF! - #REF!";
    assert_eq!(rewritten(formula, |reference| Some(reference.lost())), Some((lost.to_owned(), true)));
    assert_eq!(rewritten("=Budget!#REF!", |reference| Some(reference.lost())), Some(("=#REF!".to_owned(), false)));
    let to_b2 = |reference: &Reference| {
        let [column, row] = [1; 2].map(|index| Line { index, is_absolute: false });
        reference.with_area(Area::Cell { column, row })
    };
    assert_eq!(rewritten("=a1+B2", to_b2), Some(("=B2+B2".to_owned(), false)));
    assert_eq!(rewritten("=B2", to_b2), None);
    assert_eq!(rewritten("=A1", |reference| reference.with_area(Area::Lost)), Some(("=#REF!".to_owned(), true)));
}
