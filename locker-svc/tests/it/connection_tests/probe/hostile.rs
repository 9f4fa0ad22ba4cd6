//! Servers that break the rules of HTTP, of a chat model, or of decency.

use std::{thread, time::Duration};

use locker_svc::connection_tests::probe::{ProbeLimits, ProbeOutcome};
use serde_json::json;
use shared_testing::hostile_server::{HostileServer, Wire, answer};

use super::{HASTY, KEY, checked, completion, error, for_ever, hold, left_by, of, outbound};

#[shared_testing::test]
async fn a_silent_or_dripping_server_is_abandoned_in_time() {
    let silent = left_by(|stream, _| hold(stream)).await;
    assert_eq!(silent.outcome, ProbeOutcome::Timeout);
    assert!(silent.phases.models_ms.is_some() && silent.phases.chat_ms.is_some());
    let drip = |stream: &mut dyn Wire, text: &str| {
        for byte in text.bytes() {
            stream.write_all(&[byte])?;
            stream.flush()?;
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    };
    assert_eq!(
        left_by(move |stream, _| drip(stream, &completion("slow").repeat(9))).await.outcome,
        ProbeOutcome::Timeout
    );
    let dripping_body = move |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")?;
        drip(stream, &" ".repeat(60_000))
    };
    assert_eq!(left_by(dripping_body).await.outcome, ProbeOutcome::Timeout);
    let informing = |stream: &mut dyn Wire, _: &str| for_ever(stream, b"HTTP/1.1 100 Continue\r\n\r\n");
    assert_eq!(left_by(informing).await.outcome, ProbeOutcome::Timeout);
}

#[shared_testing::test]
async fn a_list_of_models_that_never_comes_does_not_spoil_the_check() {
    let impatient = ProbeLimits { models: HASTY.models, ..ProbeLimits::default() };
    let server = HostileServer::http(|stream, request| {
        if request.starts_with("GET") { hold(stream) } else { stream.write_all(completion("ready").as_bytes()) }
    });
    let seen = checked(format!("http://{}/v1", server.address), &outbound(), impatient).await;
    assert_eq!(seen.outcome, ProbeOutcome::Ok);
}

#[shared_testing::test]
async fn a_gibibyte_is_not_read() {
    let piece = vec![b' '; 65_536];
    let declared = move |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")?;
        for_ever(stream, &piece)
    };
    assert_eq!(of(declared).await.outcome, ProbeOutcome::ResponseTooLarge);
    for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"] {
        let endless = move |stream: &mut dyn Wire, _: &str| {
            stream.write_all(head.as_bytes())?;
            for_ever(stream, &[b' '; 65_536])
        };
        assert_eq!(of(endless).await.outcome, ProbeOutcome::ResponseTooLarge, "{head}");
    }
    for chunk in ["1\r\n \r\n".repeat(1_000), format!("10000\r\n{}\r\n", " ".repeat(0x1_0000))] {
        let chunked = move |stream: &mut dyn Wire, _: &str| {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            for_ever(stream, chunk.as_bytes())
        };
        assert_eq!(of(chunked).await.outcome, ProbeOutcome::ResponseTooLarge);
    }
}

#[shared_testing::test]
async fn a_head_without_end_is_not_read() {
    let endless_field = |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nX-Long: ")?;
        for_ever(stream, &[b'x'; 4_096])
    };
    assert_eq!(of(endless_field).await.outcome, ProbeOutcome::ResponseTooLarge);
    let endless_fields = |stream: &mut dyn Wire, _: &str| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
        for_ever(stream, b"X-Many: 1\r\n")
    };
    assert_eq!(of(endless_fields).await.outcome, ProbeOutcome::ResponseTooLarge);
}

#[shared_testing::test]
async fn an_answer_that_is_not_a_completion_is_a_bad_response() {
    for reply in [
        answer(200, "Content-Type: text/html\r\n", "<html>Welcome!</html>"),
        answer(200, "", "{\"hello\": \"world\"}"),
        answer(200, "", "[]"),
        answer(200, "", &"[".repeat(60_000)),
        answer(200, "", "{\"choices\": [{\"message\": {\"content\": [1, 2]}}]}"),
        answer(200, "Content-Encoding: gzip\r\n", "\u{1f}\u{8b}\u{8}"),
        answer(204, "", ""),
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".to_owned(),
        // Cut off in the body, before it, and in the head.
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\"".to_owned(),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Le".to_owned(),
        String::new(),
        // No HTTP/1.1.
        "<html>HTTP/0.9 needs no head</html>".to_owned(),
        "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
        "+OK ready\r\n".to_owned(),
        "\u{0}\u{1}\u{2}".repeat(1_000),
        "HTTP/1.1 twohundred OK\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}".to_owned(),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n".to_owned(),
    ] {
        let sent = reply.clone();
        let seen = of(move |stream, _| stream.write_all(sent.as_bytes())).await;
        assert_eq!(seen.outcome, ProbeOutcome::BadResponse, "{}", &reply[..reply.len().min(80)]);
    }
}

#[shared_testing::test]
async fn an_echoed_key_leaves_no_note() {
    // Whatever header came in goes out again, in the several places where a provider might put it.
    let echo = |status: u16| {
        move |stream: &mut dyn Wire, request: &str| {
            let message = json!({"message": format!("You sent: {request}"), "code": "echo"});
            stream.write_all(error(status, message).as_bytes())
        }
    };
    for (status, outcome) in [(401, ProbeOutcome::AuthRejected), (500, ProbeOutcome::ProviderError)] {
        let seen = of(echo(status)).await;
        assert_eq!((seen.outcome, seen.note), (outcome, None));
    }
    let as_content = |stream: &mut dyn Wire, request: &str| stream.write_all(completion(request).as_bytes());
    let seen = of(as_content).await;
    assert_eq!((seen.outcome, seen.note), (ProbeOutcome::Ok, None));
    let in_header = |stream: &mut dyn Wire, _: &str| {
        stream.write_all(answer(302, &format!("Location: https://evil.example/?{KEY}\r\n"), "").as_bytes())
    };
    assert_eq!(of(in_header).await.outcome, ProbeOutcome::RedirectRefused);
}

#[shared_testing::test]
async fn arbitrary_answers_have_an_outcome_too() {
    for seed in 0..40_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut noise = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        let mut reply = if seed % 2 == 0 { completion("ready").into_bytes() } else { Vec::new() };
        reply.extend((0..200).map(|_| noise()));
        for _ in 0..seed % 7 {
            let at = usize::from(noise()) % reply.len();
            reply[at] = noise();
        }
        let seen = of(move |stream, _| stream.write_all(&reply)).await;
        assert!(seen.phases.chat_ms.is_some(), "{seen:?}");
    }
}
