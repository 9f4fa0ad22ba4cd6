//! What opens a page, for the suite that opens each as a stranger.

use crate::{browser::FormFile, operation_fixture::Objects};

pub(crate) const SESSION_PATH: &str = "/session";
pub(crate) const SIGN_OUT_PATH: &str = "/sign-out";

/// The path and the fields of a page. `{}` in both stands for the id of its object.
#[derive(Clone)]
pub struct PageFixture {
    pub(crate) page: &'static str,
    pub(crate) path: String,
    pub(crate) fields: Vec<(&'static str, String)>,
    pub(crate) file: Option<FormFile<'static>>,
    pub(crate) objects: Option<Objects>,
}

impl PageFixture {
    /// A page on which visitors see or make what is their own.
    pub fn of(page: &'static str, path: &str) -> Self {
        Self { page, path: path.to_owned(), fields: Vec::new(), file: None, objects: None }
    }

    /// A page about one object. `owned` belongs to the suite's owner; `missing` is valid but does not exist.
    pub fn on(page: &'static str, owned: impl Into<String>, missing: impl Into<String>, path: &str) -> Self {
        let objects = Some(Objects { owned: owned.into(), missing: missing.into() });
        Self { objects, ..Self::of(page, path) }
    }

    /// A field with which the owner's form succeeds.
    pub fn field(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    pub fn file(mut self, file: FormFile<'static>) -> Self {
        self.file = Some(file);
        self
    }
}

/// The pages about the session.
pub(crate) fn of_every_service() -> Vec<PageFixture> {
    vec![PageFixture::of("session_page", SESSION_PATH), PageFixture::of("sign_out_page", SIGN_OUT_PATH)]
}
