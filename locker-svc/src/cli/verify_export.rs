//! `locker-svc export verify`: checks downloaded parts, without settings or a database.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
};

use ed25519_dalek::VerifyingKey;
use shared_model::text;
use shared_runtime::base::progress;

use crate::exports::verify;

/// Verifies a folder of parts against its manifest, and assembles them if every check passes.
pub fn run(folder: &Path, public_key: &str, assemble: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let key = read_key(public_key)?;
    // Checked before hours of reading, not after them.
    if let Some(path) = assemble {
        verify::check_output_path(path, folder).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let bar = progress::byte_bar(0);
    let verified = verify::verify(folder, &key, assemble, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    match verified {
        Ok(manifest) => {
            let (file, parts, bytes) = (text::printable(&manifest.file_name), manifest.parts.len(), manifest.bytes);
            let place = assemble.map_or(String::new(), |path| format!(", assembled in {}", path.display()));
            Ok(writeln!(io::stdout(), "{file}: {parts} part(s), {bytes} bytes, all match the manifest{place}")?)
        }
        Err(findings) => {
            let all: Vec<_> = findings.iter().map(|finding| format!("\n  {finding}")).collect();
            Err(format!("{} does not match its signed manifest:{}", folder.display(), all.concat()).into())
        }
    }
}

/// Reads a public key: hexadecimal digits, or a file that contains them.
fn read_key(text: &str) -> Result<VerifyingKey, Box<dyn Error>> {
    let is_hex = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let text = if is_hex {
        text.to_owned()
    } else {
        std::fs::read_to_string(text).map_err(|error| format!("the public key {text}: {error}"))?
    };
    let mut bytes = [0; 32];
    hex::decode_to_slice(text.trim(), &mut bytes).map_err(|_| "a public key is 64 hexadecimal digits")?;
    Ok(VerifyingKey::from_bytes(&bytes).map_err(|_| "these 64 hexadecimal digits are not an Ed25519 public key")?)
}
