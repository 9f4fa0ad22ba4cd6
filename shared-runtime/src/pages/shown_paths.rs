//! The paths that a browser can open. After a sign-in it comes back with GET, and some paths take only forms.

use std::iter;

/// The paths of all pages in the order in which they are tried, each with whether it takes GET.
pub struct ShownPaths(Vec<(&'static str, bool)>);

impl ShownPaths {
    pub fn new(paths: impl IntoIterator<Item = (&'static str, bool)>) -> Self {
        Self(paths.into_iter().collect())
    }

    /// The path or the nearest above it that a page shows.
    pub fn nearest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut above = iter::successors(Some(path), |path| path.rfind('/').map(|end| &path[..end]));
        above.find(|path| self.is_shown(path))
    }

    fn is_shown(&self, path: &str) -> bool {
        self.0.iter().find(|(pattern, _)| matches(pattern, path)).is_some_and(|(_, takes_get)| *takes_get)
    }
}

/// Patterns of pages have whole segments as parameters, `{name}`.
fn matches(pattern: &str, path: &str) -> bool {
    let fits = |(own, segment): (&str, &str)| own == segment || own.starts_with('{') && !segment.is_empty();
    pattern.split('/').count() == path.split('/').count() && pattern.split('/').zip(path.split('/')).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_from_a_form_is_the_nearest_page() {
        let paths = [("/w", true), ("/w/chosen", false), ("/f/{id}", true), ("/f/{id}/{part}/hide", false)];
        let paths = ShownPaths::new(paths);
        for (path, expected) in [
            ("/w", Some("/w")),
            ("/w/chosen", Some("/w")),
            ("/f/file_1/change", Some("/f/file_1")),
            ("/f/file_1/comments/hide", Some("/f/file_1")),
            ("/sign-out", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(paths.nearest(path), expected, "{path}");
        }
        // The first that matches decides, as for requests.
        assert_eq!(ShownPaths::new([("/f/new", false), ("/f/{id}", true)]).nearest("/f/new"), None);
    }
}
