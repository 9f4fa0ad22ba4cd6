//! `/authorize`: the sign-in (RFC 6749 §4.1.1, RFC 7636, RFC 8707), without passwords: people choose who to be.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use url::Url;

use super::{
    clients::{CLIENT_ID, Clients},
    codes::{CodeGrant, Codes},
    fields::Fields,
    own_clients::OwnClient,
    page, people,
    request::{PATH, RequestError, SignInRequest, sign_in_request},
    token::Minter,
};

/// GET shows the sample people; POST takes the choice.
pub fn routes(app: &mut web::ServiceConfig) {
    app.service(web::resource(PATH).route(web::get().to(ask)).route(web::post().to(choose)));
}

async fn ask(request: HttpRequest, clients: web::Data<Clients>, minter: web::Data<Minter>) -> HttpResponse {
    answer(request.query_string().as_bytes(), &clients, &minter, page::choice).await
}

async fn choose(
    body: web::Bytes,
    clients: web::Data<Clients>,
    codes: web::Data<Codes>,
    minter: web::Data<Minter>,
) -> HttpResponse {
    answer(&body, &clients, &minter, |fields, request| {
        let back = |name: &str, value: &str| back(request.redirect_uri, fields, &minter, (name, value));
        let person = fields.get("person");
        let Some(person) = people::for_service(request.service).into_iter().find(|own| Some(own.subject) == person)
        else {
            return back("error", "access_denied");
        };
        let code = codes.make(CodeGrant {
            client_id: fields.get("client_id").unwrap_or_default().to_owned(),
            agent: request.agent.map(|agent| agent.name().to_owned()),
            redirect_uri: request.redirect_uri.to_owned(),
            code_challenge: request.code_challenge.to_owned(),
            resource: request.resource.to_owned(),
            service: request.service,
            subject: person.subject.to_owned(),
            display_name: person.display_name.to_owned(),
            scope: person.grants(request.service, request.scope),
        });
        match code {
            Some(code) => back("code", &code),
            None => back("error", "temporarily_unavailable"),
        }
    })
    .await
}

async fn answer(
    encoded: &[u8],
    clients: &Clients,
    minter: &Minter,
    decide: impl FnOnce(&Fields, &SignInRequest<'_>) -> HttpResponse,
) -> HttpResponse {
    let fields = match Fields::read(encoded) {
        Ok(fields) => fields,
        Err(rule) => return page::refused(rule),
    };
    let agent = match fields.get("client_id") {
        Some(CLIENT_ID) => None,
        Some(id) => match OwnClient::find(id).await {
            Ok(client) => Some(client),
            Err(rule) => return page::refused(rule),
        },
        None => return page::refused("client_id must be sent"),
    };
    match sign_in_request(&fields, clients, agent.as_ref()) {
        Ok(request) => decide(&fields, &request),
        Err(RequestError::NoRedirect(rule)) => page::refused(rule),
        Err(RequestError::Redirect { redirect_uri, error }) => back(redirect_uri, &fields, minter, ("error", error)),
    }
}

/// Redirects to the client with its state and the issuer's name (RFC 9207).
fn back(redirect_uri: &str, fields: &Fields, minter: &Minter, (name, value): (&str, &str)) -> HttpResponse {
    let Ok(mut url) = Url::parse(redirect_uri) else { return page::refused("redirect_uri must be a URL") };
    let mut query = url.query_pairs_mut();
    query.append_pair(name, value);
    if let Some(state) = fields.get("state") {
        query.append_pair("state", state);
    }
    query.append_pair("iss", minter.issuer());
    drop(query);
    // 303, so that the browser follows a POST with GET.
    HttpResponse::build(StatusCode::SEE_OTHER)
        .insert_header((header::LOCATION, url.as_str()))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}
