//! The attribute of an asynchronous test.

#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Makes an `async fn` a test that runs inside `shared_testing::run`, which cleans up after its stages.
#[proc_macro_attribute]
pub fn test(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let is_async = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word.to_string() == "async");
    let (Some(keyword), Some(body)) = (tokens.iter().position(is_async), tokens.pop()) else {
        return source("compile_error! { \"#[shared_testing::test] needs an async fn\" }");
    };
    tokens.remove(keyword);
    let mut test: TokenStream = source("async move");
    test.extend([body]);
    let mut call = source("::shared_testing::run");
    call.extend([TokenTree::from(Group::new(Delimiter::Parenthesis, test))]);
    let mut whole = source("#[::core::prelude::v1::test]");
    whole.extend(tokens);
    whole.extend([TokenTree::from(Group::new(Delimiter::Brace, call))]);
    whole
}

fn source(text: &str) -> TokenStream {
    let tokens: TokenStream = text.parse().unwrap_or_default();
    let here = |mut token: TokenTree| {
        token.set_span(Span::call_site());
        token
    };
    tokens.into_iter().map(here).collect()
}
