//! What a browser gets for `/`, and for unknown URLs. Programs get JSON there.

use actix_web::{
    HttpRequest, HttpResponse,
    guard::{self, GuardContext},
    http::header,
    web,
};
use shared_model::code;

use super::{declaration::Site, docs_path::DOCS_PATH, error_page, language::Language, page::Redirect};
use crate::http::{admission, argument, edge};

/// Last of all routes, because it matches every path.
pub fn configure(app: &mut web::ServiceConfig) {
    let resource = web::resource("/{unknown:.*}").guard(guard::Get()).guard(guard::fn_guard(wants_html));
    app.service(resource.to(answer));
}

// Browsers always ask for HTML, and clients of an API never do.
fn wants_html(request: &GuardContext<'_>) -> bool {
    let accept = request.head().headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

async fn answer(request: HttpRequest) -> HttpResponse {
    let run = async {
        admission::charge_anonymous(argument::context(&request), &request).await?;
        if request.path() == "/" {
            let site = request.app_data::<web::Data<Site>>();
            let home = site.and_then(|site| site.links.first()).map_or(DOCS_PATH, |link| link.path);
            return Ok(Redirect::to(home).into_reply());
        }
        Err(code::NOT_FOUND.because("There is no page at this address.").into())
    };
    let shown = edge::answer_as(&request, None, run, |id, refusal| error_page::response(&request, id, refusal));
    Language::asked(&request).of(shown).await
}
