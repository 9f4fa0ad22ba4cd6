//! The formats of cells: what we keep of them, and how much memory the workbook's reader needs for all.

use std::{collections::HashMap, mem::size_of};

use crate::office::xml::{Element, Token, Xml};
use crate::spreadsheets::content::format::{CellAlign, CellFormat};

// Each cell format has copies of its font and number format in the reader.
const MEMORY: usize = 12_582_912;
// The longest number format that programs accept.
const NUMBER_FORMAT: usize = 255;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    pub layout: CellFormat,
    /// A number format that is not the general one.
    pub number: Option<String>,
    /// Whether it has a look that we do not keep.
    pub has_look: bool,
}

pub fn read(xml: &mut Xml<'_>) -> Result<Vec<Style>, String> {
    let (mut styles, mut numbers) = (Vec::new(), HashMap::new());
    let (mut memory, mut longest, mut first) = (0, 0, None);
    let mut section = String::new();
    while let Some(token) = xml.token()? {
        let element = match token {
            Token::Start(element) => element,
            Token::End(name) if name == section => {
                section.clear();
                continue;
            }
            _ => continue,
        };
        longest = longest.max(element.longest());
        match (&*section, &*element.name()) {
            ("", name @ ("numFmts" | "fonts" | "fills" | "borders" | "cellXfs")) => section = name.to_owned(),
            ("numFmts", "numFmt") => {
                let code = element.text("formatCode").unwrap_or_default();
                memory += 2 * (size_of::<String>() + code.len());
                // A longer one would be copied into each style of ours too.
                if code.len() <= NUMBER_FORMAT {
                    numbers.insert(element.raw("numFmtId").unwrap_or_default().into_owned(), code);
                }
            }
            ("fonts", "font") => memory += size_of::<calamine::Font>(),
            ("fills", "fill") => memory += size_of::<calamine::Fill>(),
            ("borders", "border") => memory += size_of::<calamine::Borders>(),
            ("cellXfs", "xf") => {
                memory += size_of::<calamine::Style>() + size_of::<Style>();
                let look = ["fontId", "fillId", "borderId"].map(|id| element.number::<u32>(id).unwrap_or(0));
                // The first format is the default of the workbook.
                let has_look = *first.get_or_insert(look) != look;
                styles.push(Style { number: number(&element, &numbers), has_look, ..Style::default() });
            }
            ("cellXfs", "alignment") => {
                if let Some(style) = styles.last_mut() {
                    align(style, &element);
                }
            }
            _ => {}
        }
        if memory + styles.len() * longest > MEMORY {
            return Err("must have fewer cell formats, or shorter ones".to_owned());
        }
    }
    Ok(styles)
}

fn number(xf: &Element<'_>, numbers: &HashMap<String, String>) -> Option<String> {
    let id = xf.raw("numFmtId")?;
    let built_in = match &*id {
        "0" | "49" => return None,
        "1" => "0",
        "2" => "0.00",
        // Whatever it is, we do not apply it.
        _ => "built-in",
    };
    let code = numbers.get(&*id).map_or(built_in, String::as_str);
    (!code.eq_ignore_ascii_case("general") && code != "@").then(|| code.to_owned())
}

fn align(style: &mut Style, alignment: &Element<'_>) {
    match alignment.raw("horizontal").as_deref() {
        Some("left") => style.layout.align = Some(CellAlign::Left),
        Some("center") => style.layout.align = Some(CellAlign::Center),
        Some("right") => style.layout.align = Some(CellAlign::Right),
        None | Some("general") => {}
        Some(_) => style.has_look = true,
    }
    style.layout.wrap = alignment.has("wrapText").then_some(true);
    let is_set = |name: &str| alignment.raw(name).is_some_and(|value| !matches!(&*value, "0" | "false"));
    style.has_look |= ["textRotation", "indent", "shrinkToFit"].into_iter().any(is_set)
        || alignment.raw("vertical").is_some_and(|vertical| vertical != "bottom");
}
