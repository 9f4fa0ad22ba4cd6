//! Checks that a page is harmless, whatever text it shows.

// Elements that run code or load other documents.
const FORBIDDEN: [&str; 14] = [
    "script",
    "style",
    "iframe",
    "frame",
    "object",
    "embed",
    "base",
    "applet",
    "foreignobject",
    "animate",
    "set",
    "use",
    "math",
    "template",
];
// Attributes that contain URLs.
const PLACES: [&str; 9] =
    ["href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "background", "data"];
// Schemes allowed in links to other sites.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Fails if a page has scripts, event handlers, inline styles, frames, or links that run or load something.
#[track_caller]
pub fn assert_harmless(html: &str) {
    let elements = elements(html);
    assert!(elements.iter().any(|element| element.name == "main"), "not a page: {html}");
    // The script of the pages is in their head, where no content is.
    let body = elements.iter().position(|element| element.name == "body").unwrap_or_default();
    for (index, element) in elements.iter().enumerate() {
        let is_ours = index < body && is_own_script(element);
        assert!(is_ours || !FORBIDDEN.contains(&element.name.as_str()), "an element {} in {html}", element.name);
        for (name, value) in &element.attributes {
            let place = format!("{name}={value} of {}", element.name);
            assert!(!name.starts_with("on") && name != "style" && name != "http-equiv", "{place} in {html}");
            if PLACES.contains(&name.as_str()) {
                let is_link = name == "href" && element.name == "a";
                assert!(is_own(value) || is_link && is_outward(value), "{place} in {html}");
            }
        }
    }
}

fn is_own_script(element: &Element) -> bool {
    let source = element.attributes.iter().find(|(name, _)| name == "src").map(|(_, value)| value.as_str());
    let name = source.and_then(|source| source.strip_prefix("/assets/")?.strip_suffix(".js"));
    element.name == "script" && name.is_some_and(|name| name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_own(value: &str) -> bool {
    let path = plain(value);
    // `//host` and `/\host` lead to other sites in browsers.
    path.starts_with('#') || path.starts_with('?') || path.starts_with('/') && !path[1..].starts_with(['/', '\\'])
}

fn is_outward(value: &str) -> bool {
    let url = plain(value).to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| url.starts_with(scheme))
}

/// Removes the characters that browsers ignore in URLs (URL Standard, basic URL parser).
fn plain(value: &str) -> String {
    // Otherwise `java\tscript:` would pass.
    let skipped = |c: char| matches!(c, '\t' | '\n' | '\r');
    value.trim_start_matches(|c: char| c <= ' ').replace(skipped, "")
}

struct Element {
    name: String,
    attributes: Vec<(String, String)>,
}

/// All start tags, as a browser finds them.
fn elements(html: &str) -> Vec<Element> {
    let mut elements = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (element, after) = element(rest);
            elements.push(element);
            rest = after;
        }
    }
    elements
}

/// Parses a start tag from its name on. Returns it with the rest of the text.
fn element(text: &str) -> (Element, &str) {
    let is_end = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let (name, mut rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() || rest.starts_with('>') {
            break;
        }
        // A leading equals sign belongs to the name (HTML Standard, before attribute name state).
        let end = rest.char_indices().skip(1).find(|(_, c)| is_end(*c) || *c == '=').map_or(rest.len(), |(at, _)| at);
        let (name, after) = rest.split_at(end);
        let after = after.trim_start();
        let (value, after) = match after.strip_prefix('=').map(str::trim_start) {
            None => ("", after),
            Some(value) => match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
                None => {
                    value.split_at(value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len()))
                }
            },
        };
        attributes.push((name.to_ascii_lowercase(), unescaped(value)));
        rest = after;
    }
    (Element { name: name.to_ascii_lowercase(), attributes }, rest)
}

/// Undoes the escapes that maud writes.
pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The unescaped `href` of every link.
pub fn links(html: &str) -> Vec<String> {
    let links = elements(html).into_iter().filter(|element| element.name == "a");
    links.flat_map(|link| link.attributes).filter(|(name, _)| name == "href").map(|(_, value)| value).collect()
}

/// The value of a hidden field in the form with this `action`.
#[track_caller]
pub fn hidden(html: &str, action: &str, field: &str) -> String {
    let elements = elements(html);
    let get = |element: &Element, name: &str| {
        element.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    };
    let is_form = |element: &&Element| element.name == "form" && get(element, "action").as_deref() == Some(action);
    let form = elements.iter().position(|element| is_form(&element));
    let form = form.unwrap_or_else(|| panic!("no form is submitted to {action} in {html}"));
    let inside = elements[form + 1..].iter().take_while(|element| element.name != "form");
    let mut fields = inside.filter(|element| element.name == "input" && get(element, "name").as_deref() == Some(field));
    let field = fields.next().and_then(|element| get(element, "value"));
    field.unwrap_or_else(|| panic!("the form that is submitted to {action} has no such hidden field: {html}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_harms_is_found_however_it_is_written() {
        let page = |inside: &str| format!("<!doctype html><main>{inside}</main>");
        assert_harmless(&page(
            r##"<p dir="auto">&lt;script&gt; a &lt; b <a href="/f/1?x=1#y">x</a><a href='https://e.example/'>y</a><a href=#z>z</a>"##,
        ));
        for wrong in [
            "<script>",
            "<ScRiPt src=x>",
            "<p onclick=x>",
            "<p/onclick=x>",
            "<img src=x onerror=alert(1)>",
            "<img src=//evil.example/x>",
            "<img src=data:image/png;base64,AA>",
            "<a href=javascript:alert(1)>",
            "<a href=\" java\nscript:alert(1)\">",
            "<a href='/\\evil.example'>",
            "<a href=data:text/html,x>",
            "<p style='color:red'>",
            "<form action=https://evil.example/>",
            "<base href=/>",
            "<svg><animate onbegin=x>",
            "<meta http-equiv=refresh content=0>",
        ] {
            let html = page(wrong);
            assert!(std::panic::catch_unwind(|| assert_harmless(&html)).is_err(), "{wrong} passes");
        }
    }
}
