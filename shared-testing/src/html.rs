//! Whether a page is harmless, whatever was written into what it shows.

/// Elements that run something, or bring something in.
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
/// Attributes that name where something is.
const PLACES: [&str; 9] =
    ["href", "xlink:href", "src", "srcset", "action", "formaction", "poster", "background", "data"];
/// What a link may begin with beside a path of our own.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Fails the test where a page has a script, a handler, an inline style, a frame, or a link to what is run or brought in.
#[track_caller]
pub fn assert_harmless(html: &str) {
    let elements = elements(html);
    assert!(elements.iter().any(|element| element.name == "main"), "no page: {html}");
    for element in &elements {
        assert!(!FORBIDDEN.contains(&element.name.as_str()), "an element {} in {html}", element.name);
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

fn is_own(value: &str) -> bool {
    let path = plain(value);
    path.starts_with('#') || path.starts_with('?') || path.starts_with('/') && !path[1..].starts_with(['/', '\\'])
}

fn is_outward(value: &str) -> bool {
    let url = plain(value).to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| url.starts_with(scheme))
}

/// As a browser reads a URL: without what it skips (URL Standard, basic URL parser).
fn plain(value: &str) -> String {
    let skipped = |c: char| matches!(c, '\t' | '\n' | '\r');
    value.trim_start_matches(|c: char| c <= ' ').replace(skipped, "")
}

/// An element's start.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
}

/// Every start of an element, as a browser would find them.
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

/// An element's start and what comes after it, from its name on.
fn element(text: &str) -> (Element, &str) {
    let is_end = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let (name, mut rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() || rest.starts_with('>') {
            break;
        }
        // An equals sign at the beginning is part of the name (HTML Standard, before attribute name state).
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

/// The text of an attribute without the escapes that maud writes.
pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Every link's `href` on a page, unescaped.
pub fn links(html: &str) -> Vec<String> {
    let links = elements(html).into_iter().filter(|element| element.name == "a");
    links.flat_map(|link| link.attributes).filter(|(name, _)| name == "href").map(|(_, value)| value).collect()
}

/// The value of the hidden field with this name, in the form that is submitted to `action`. Fails the test when there is none.
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
