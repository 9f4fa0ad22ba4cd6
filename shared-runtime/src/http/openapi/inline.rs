//! Readers of the document: references to shared responses, headers and parameters, replaced with what they refer to.

use serde_json::Value;

/// Completes one operation. `component` finds a shared part by its kind (`responses`) and its name.
pub fn inline(operation: &mut Value, component: impl Fn(&str, &str) -> Option<Value>) {
    let follow = |part: &mut Value| {
        let target = part["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/")?.split_once('/'));
        if let Some(found) = target.and_then(|(kind, name)| component(kind, name)) {
            *part = found;
        }
    };
    if let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) {
        parameters.iter_mut().for_each(follow);
    }
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for response in responses.into_iter().flat_map(|responses| responses.values_mut()) {
        follow(response);
        if let Some(headers) = response.get_mut("headers").and_then(Value::as_object_mut) {
            headers.values_mut().for_each(follow);
        }
    }
}

/// The whole document with every operation completed.
pub fn inlined(text: &str) -> Value {
    let mut document: Value = serde_json::from_str(text).expect("the document is JSON");
    let components = document["components"].clone();
    let component = |kind: &str, name: &str| components.get(kind)?.get(name).cloned();
    for item in document["paths"].as_object_mut().expect("there are paths").values_mut() {
        for operation in item.as_object_mut().expect("operations by method").values_mut() {
            inline(operation, component);
        }
    }
    document
}
