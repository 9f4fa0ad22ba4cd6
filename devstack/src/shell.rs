//! `DIR/env`: the stack's addresses, databases and tokens as variables of a shell, for the walkthroughs of docs/.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::{
    error::{StackError, cannot},
    home::Home,
    manifest::Manifest,
    surfaces::SurfaceName,
    tokens::{ADA, LOCKER_OWNER, ORDERS_OWNER},
};

/// Its name.
pub const FILE: &str = "env";

/// Writes it.
pub fn write(home: &Home, manifest: &Manifest) -> Result<PathBuf, StackError> {
    let mut text = String::new();
    let mut set =
        |name: String, value: &str| writeln!(text, "{name}={}", quoted(value)).expect("memory can be written");
    for (surface, entry) in &manifest.surfaces {
        set(variable(*surface), &entry.base_url);
        set(format!("{}_DATABASE_URL", variable(*surface)), &entry.database_url);
    }
    for caller in [LOCKER_OWNER, ADA, ORDERS_OWNER] {
        set(format!("{}_TOKEN", variable(caller.surface)), &manifest.tokens[&caller.surface][caller.name]);
    }
    home.write(FILE, &text)
}

fn variable(surface: SurfaceName) -> String {
    surface.as_str().to_ascii_uppercase()
}

/// Prints what was written by the stack that runs, or the last one.
pub fn print(data: &Path) -> Result<(), StackError> {
    let home = Home::at(data)?;
    let text = home.read(FILE)?.ok_or_else(|| StackError::new("there is no stack yet; start it first"))?;
    io::stdout().write_all(text.as_bytes()).map_err(cannot("print"))
}

/// Text as one word of a shell.
pub fn quoted(text: &str) -> String {
    let is_plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b":/._-".contains(&b));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_word_of_a_shell() {
        assert_eq!(quoted("/home/ada/.fourfold/x-1.json"), "/home/ada/.fourfold/x-1.json");
        assert_eq!(quoted("/my files/it's"), r"'/my files/it'\''s'");
        assert_eq!(quoted("postgres://h/d?options=-c%20x&y"), "'postgres://h/d?options=-c%20x&y'");
    }
}
