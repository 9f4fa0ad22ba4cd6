//! `DIR/env`: addresses, database URLs and tokens as shell variables, for the guides in docs/.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::{
    data_folder::DataFolder,
    error::{StackError, cannot},
    service_name::ServiceName,
    stack_file::StackFile,
    tokens::{ADA, LOCKER_OWNER, ORDERS_OWNER},
};

pub const FILE: &str = "env";

/// `receiver` is the port of this machine that the services may call.
pub fn write(folder: &DataFolder, stack_file: &StackFile, receiver: Option<u16>) -> Result<PathBuf, StackError> {
    let mut text = String::new();
    let mut set =
        |name: String, value: &str| writeln!(text, "{name}={}", quoted(value)).expect("memory can be written");
    for (service, entry) in &stack_file.services {
        set(variable(*service), &entry.base_url);
        set(format!("{}_DATABASE_URL", variable(*service)), &entry.database_url);
    }
    for caller in [LOCKER_OWNER, ADA, ORDERS_OWNER] {
        set(format!("{}_TOKEN", variable(caller.service)), &stack_file.tokens[&caller.service][caller.name]);
    }
    if let Some(port) = receiver {
        set("RECEIVER_PORT".to_owned(), &port.to_string());
    }
    folder.write(FILE, &text)
}

fn variable(service: ServiceName) -> String {
    service.as_str().to_ascii_uppercase()
}

/// Prints the file of the current or the last stack.
pub fn print(data: &Path) -> Result<(), StackError> {
    let folder = DataFolder::at(data)?;
    let text = folder.read(FILE)?.ok_or_else(|| StackError::new("there is no stack yet; start it first"))?;
    io::stdout().write_all(text.as_bytes()).map_err(cannot("print"))
}

/// Quotes text as one word of a shell.
pub fn quoted(text: &str) -> String {
    let is_plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b":/._-".contains(&b));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_word_of_a_shell() {
        assert_eq!(quoted("/folder/ada/.fourfold/x-1.json"), "/folder/ada/.fourfold/x-1.json");
        assert_eq!(quoted("/my files/it's"), r"'/my files/it'\''s'");
        assert_eq!(quoted("postgres://h/d?options=-c%20x&y"), "'postgres://h/d?options=-c%20x&y'");
    }
}
