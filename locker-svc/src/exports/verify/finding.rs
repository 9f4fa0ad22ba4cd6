//! What can be wrong with what was downloaded, in the words in which it is told.

use std::fmt;

/// Something that is not as the manifest says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file that it is about.
    pub file: String,
    /// What is wrong with it.
    pub what: Wrong,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The manifest was changed after it was signed.
    AlteredManifest,
    /// The manifest was signed with another key.
    OtherKey,
    /// The manifest is none.
    MalformedManifest(String),
    /// It is not there.
    Missing,
    /// It is a folder, a pipe, a device, or a link to one.
    NoFile,
    /// It has fewer bytes than it should: so many of so many.
    Short(u64, u64),
    /// It has more bytes than it should: so many instead of so many.
    Long(u64, u64),
    /// It has other bytes than it should.
    Altered,
    /// Nothing refers to it.
    Extra,
    /// The whole does not come to its hash, though every part does.
    OtherWhole,
    /// It cannot be read or written.
    Unreadable(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match &self.what {
            Wrong::AlteredManifest => f.write_str("the manifest was altered: the signature is of another one"),
            Wrong::OtherKey => f.write_str("the manifest is signed with another key than the one given"),
            Wrong::MalformedManifest(rule) => write!(f, "this is no manifest: {rule}"),
            Wrong::Missing => f.write_str("is missing"),
            Wrong::NoFile => f.write_str("is no regular file"),
            Wrong::Short(has, wants) => write!(f, "is cut off: {has} of {wants} bytes (curl -C - downloads the rest)"),
            Wrong::Long(has, wants) => write!(f, "is too long: {has} bytes instead of {wants}"),
            Wrong::Altered => f.write_str("was altered: its bytes are not those of the manifest"),
            Wrong::Extra => f.write_str("is no part of this export"),
            Wrong::OtherWhole => f.write_str("the parts do not come to the whole of the manifest"),
            Wrong::Unreadable(error) => f.write_str(error),
        }
    }
}
