//! The JSON body.

use actix_web::web::Bytes;
use serde_json::Value;
use shared_model::{Error, Failure, FromJson, JsonReader, Refusal, json_reader};
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, Type},
};

use crate::http::{
    argument::{AdmittedRequest, Argument, RequestBody},
    contract::{BodyPolicy, Contract},
    incoming_body::IncomingBody,
};

/// The JSON body as a `T`. The refusal lists all problems at once.
pub struct Body<T>(pub T);

impl<T: FromJson + ToSchema> Argument for Body<T> {
    fn describe(contract: &mut Contract) {
        contract.takes_body::<T>(BodyPolicy::Required);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        // An absent body is read as null, so that its refusal names the missing object like any other problem.
        let absent = Value::Null;
        let value = request.body.json().unwrap_or(&absent);
        json_reader::read(value)
            .map(Self)
            .map_err(|problems| Refusal::problems(request.contract.surface.invalid_field, problems).into())
    }
}

/// No body, or an empty JSON object.
#[derive(Clone, Copy, Debug)]
pub struct NoBody;

#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
struct EmptyObject {}

impl FromJson for EmptyObject {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|_| Some(Self {}))
    }
}

impl Argument for NoBody {
    fn describe(contract: &mut Contract) {
        contract.takes_body::<EmptyObject>(BodyPolicy::Optional);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.body.json() {
            None => Ok(Self),
            Some(value) => json_reader::read::<EmptyObject>(value)
                .map(|EmptyObject {}| Self)
                .map_err(|problems| Refusal::problems(request.contract.surface.invalid_field, problems).into()),
        }
    }
}

/// A text body of an operation that does not speak JSON, within the surface's limit.
#[derive(Clone, Debug)]
pub struct TextBody(pub Bytes);

impl Argument for TextBody {
    fn describe(contract: &mut Contract) {
        contract.takes_text(ObjectBuilder::new().schema_type(Type::String).into());
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match &request.body {
            RequestBody::Text(bytes) => Ok(Self(bytes.clone())),
            RequestBody::None | RequestBody::Json(_) | RequestBody::Incoming(_) => Ok(Self(Bytes::new())),
        }
    }
}

/// A body of at most `MAX` bytes, as a stream.
pub struct ByteBody<const MAX: usize>(pub IncomingBody);

impl<const MAX: usize> Argument for ByteBody<MAX> {
    fn describe(contract: &mut Contract) {
        contract.takes_bytes(MAX);
    }

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match &request.body {
            RequestBody::Incoming(body) => body.take().map(Self),
            RequestBody::None | RequestBody::Json(_) | RequestBody::Text(_) => None,
        }
        // A bug of ours: a stream can be read once.
        .ok_or_else(|| Failure::fault("a verb takes the bytes of a body twice").into())
    }
}
