//! What can be wrong with a downloaded file.

use std::fmt;

use shared_model::text;

/// A file that is not as the manifest says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name.
    pub file: String,
    /// What is wrong with it.
    pub defect: Defect,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The manifest was changed after it was signed.
    AlteredManifest,
    /// The manifest was signed with another key.
    OtherKey,
    /// It is not a manifest.
    MalformedManifest(String),
    /// There is no such file.
    Missing,
    /// It is a folder, a pipe, a device, or a link to one.
    NotAFile,
    /// It has fewer bytes than it should: actual, expected.
    Short(u64, u64),
    /// It has more bytes than it should: actual, expected.
    Long(u64, u64),
    /// It has other bytes than it should.
    Altered,
    /// The manifest does not list it.
    Extra,
    /// The hash of the whole differs, though that of every part matches.
    OtherWhole,
    /// It cannot be read or written.
    Unreadable(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", text::printable(&self.file))?;
        match &self.defect {
            Defect::AlteredManifest => f.write_str("the manifest was altered: the signature is of another one"),
            Defect::OtherKey => f.write_str("the manifest is signed with another key than the one given"),
            Defect::MalformedManifest(rule) => write!(f, "this is no manifest: {}", text::printable(rule)),
            Defect::Missing => f.write_str("is missing"),
            Defect::NotAFile => f.write_str("is no regular file"),
            Defect::Short(has, wants) => write!(f, "is cut off: {has} of {wants} bytes (curl -C - downloads the rest)"),
            Defect::Long(has, wants) => write!(f, "is too long: {has} bytes instead of {wants}"),
            Defect::Altered => f.write_str("was altered: its bytes are not those of the manifest"),
            Defect::Extra => f.write_str("is no part of this export"),
            Defect::OtherWhole => f.write_str("the parts do not come to the whole of the manifest"),
            Defect::Unreadable(error) => f.write_str(error),
        }
    }
}
