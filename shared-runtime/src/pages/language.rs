//! The language of a page.

use actix_web::{HttpRequest, http::header};

tokio::task_local! {
    // Not an argument: every small piece of a page would hand it on.
    static OF_PAGE: Language;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
}

impl Language {
    /// As `lang` and `Accept-Language` name it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The one that the browser prefers; English if it takes none of ours.
    pub fn asked(request: &HttpRequest) -> Self {
        let accepted = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        preferred(accepted.unwrap_or_default())
    }

    /// Of the page that is made now. What is made outside of a page is in English.
    pub fn current() -> Self {
        OF_PAGE.try_with(|language| *language).unwrap_or(Self::English)
    }

    /// Makes a page in this language.
    pub async fn of<T>(self, page: impl Future<Output = T>) -> T {
        OF_PAGE.scope(self, page).await
    }

    /// Makes a part of a page in this language.
    pub fn of_part<T>(self, part: impl FnOnce() -> T) -> T {
        OF_PAGE.sync_scope(self, part)
    }
}

/// The best of an `Accept-Language` header (RFC 9110 §12.5.4). The first of equals wins, as browsers list them.
fn preferred(accepted: &str) -> Language {
    let mut best = (Language::English, 0.0);
    for range in accepted.split(',') {
        let (tag, weight) = range.split_once(';').unwrap_or((range, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.parse::<f32>().ok());
        let primary = tag.trim().split('-').next().unwrap_or_default();
        let known = [Language::English, Language::German];
        let language = known.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary));
        if let Some((language, weight)) = language.zip(weight)
            && weight > best.1
        {
            best = (language, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_best_of_those_that_the_browser_takes() {
        for german in ["de", "de-AT,de;q=0.9,en;q=0.8", "fr, de;q=0.5, en;q=0.4", "DE", "en;q=0.2,de;q=0.3"] {
            assert_eq!(preferred(german), Language::German, "{german}");
        }
        for english in ["", "en-US,en;q=0.9,de;q=0.8", "fr", "*", "de;q=0", "de;q=x", "den", "en,de"] {
            assert_eq!(preferred(english), Language::English, "{english}");
        }
    }

    #[test]
    fn what_is_made_outside_of_a_page_is_english() {
        assert_eq!(Language::current(), Language::English);
        assert_eq!(Language::German.of_part(Language::current), Language::German);
        assert_eq!(Language::current(), Language::English);
    }
}
