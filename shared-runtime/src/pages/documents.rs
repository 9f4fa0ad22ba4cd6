//! Markdown that a service shows at `/docs` in addition to its operations.

/// A page or a picture.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// Below the repository's `docs`, without `.md`: `guides/uploads`.
    pub path: &'static str,
    pub text: &'static str,
}

impl Document {
    /// The first heading.
    pub fn title(&self) -> &'static str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(self.path)
    }
}

/// Documents below one heading of the navigation.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub title: &'static str,
    pub documents: &'static [Document],
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Documents {
    pub sections: &'static [Section],
    /// SVG without scripts and styles, shown inside the pages.
    pub pictures: &'static [Document],
}

impl Documents {
    pub fn all(&self) -> impl Iterator<Item = &'static Document> + use<> {
        self.sections.iter().flat_map(|section| section.documents)
    }

    pub fn find(&self, path: &str) -> Option<&'static Document> {
        self.all().find(|document| document.path == path)
    }

    pub fn picture(&self, path: &str) -> Option<&'static str> {
        self.pictures.iter().find(|picture| picture.path == path).map(|picture| picture.text)
    }
}
