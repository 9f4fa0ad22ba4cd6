//! The defects that verification finds.

use std::fmt;

use shared_model::text;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub file: String,
    pub defect: Defect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    AlteredManifest,
    OtherKey,
    MalformedManifest(String),
    Missing,
    /// It is a folder, a pipe, a device, or a link to one.
    NotAFile,
    /// It has too few bytes: actual, expected.
    Short(u64, u64),
    /// It has too many bytes: actual, expected.
    Long(u64, u64),
    Altered,
    Extra,
    /// The hash of the whole differs, although the hash of every part matches.
    OtherWhole,
    Unreadable(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", text::printable(&self.file))?;
        match &self.defect {
            Defect::AlteredManifest => f.write_str("the manifest was altered: the signature does not match"),
            Defect::OtherKey => f.write_str("the manifest is signed with a different key"),
            Defect::MalformedManifest(rule) => write!(f, "this is not a manifest: {}", text::printable(rule)),
            Defect::Missing => f.write_str("is missing"),
            Defect::NotAFile => f.write_str("is not a regular file"),
            Defect::Short(has, wants) => write!(f, "is cut off: {has} of {wants} bytes (curl -C - downloads the rest)"),
            Defect::Long(has, wants) => write!(f, "is too long: {has} bytes instead of {wants}"),
            Defect::Altered => f.write_str("was altered: its bytes do not match the manifest"),
            Defect::Extra => f.write_str("is not a part of this export"),
            Defect::OtherWhole => f.write_str("the parts together do not match the manifest"),
            Defect::Unreadable(error) => f.write_str(error),
        }
    }
}
