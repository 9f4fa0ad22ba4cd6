//! The texts that cells share, counted before the reader of the workbook keeps them.

use crate::lost::{Losses, Lost};
use crate::office::xml::{Token, Xml};

// The cells of the largest valid spreadsheet are fewer, and their texts shorter.
const TEXTS: usize = 350_000;
const BYTES: usize = 4_194_304;

pub fn check(xml: &mut Xml<'_>, losses: &mut Losses) -> Result<(), String> {
    let (mut texts, mut bytes) = (0, 0);
    while let Some(token) = xml.token()? {
        match token {
            Token::Start(element) => match &*element.name() {
                // The reader makes room for this many before it reads them.
                "sst"
                    if element
                        .raw("uniqueCount")
                        .is_some_and(|count| count.parse::<usize>().unwrap_or(TEXTS) >= TEXTS) =>
                {
                    return Err(format!("must declare fewer than {TEXTS} shared texts"));
                }
                "si" => texts += 1,
                "rPr" => losses.note(Lost::RichText, String::new),
                _ => {}
            },
            Token::Text(text) => bytes += text.len(),
            Token::End(_) | Token::Nothing => {}
        }
        if texts > TEXTS {
            return Err(format!("must have at most {TEXTS} shared texts"));
        }
        if bytes > BYTES {
            return Err(format!("must have at most {BYTES} bytes of shared texts"));
        }
    }
    Ok(())
}
