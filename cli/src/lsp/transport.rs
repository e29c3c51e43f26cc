//! Messages on standard input and output. What is no message is answered as such, and read over.

use super::session::Event;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as KnownNotification;
use lsp_types::request::Request as KnownRequest;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Longer messages are not read; sources are limited to far less.
const LONGEST_MESSAGE: u64 = 256 << 20;
const LONGEST_HEADER: u64 = 4096;

/// Reads on a thread of its own until nobody writes any more.
pub fn listen(events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let event = match frame(&mut input) {
                Ok(Some(Frame::Body(body))) => match serde_json::from_slice::<Message>(&body) {
                    Ok(message) => Event::Message(message),
                    Err(e) => Event::Junk(e.to_string()),
                },
                Ok(Some(Frame::TooLong)) => Event::Junk("a message of such a length is not read".to_owned()),
                Ok(None) | Err(_) => break,
            };
            if events.send(event).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Closed);
    });
}

enum Frame {
    Body(Vec<u8>),
    TooLong,
}

/// The next body; lines that are no header are skipped. `None` at the end.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim_end(), line.split_once(':')) {
            ("", _) if length.is_some() => break,
            (_, Some((name, value))) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            _ => {}
        }
    }
    let length = length.unwrap_or(0);
    let mut body = input.by_ref().take(length);
    if length > LONGEST_MESSAGE {
        io::copy(&mut body, &mut io::sink())?;
        return Ok(Some(Frame::TooLong));
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == length).then_some(Frame::Body(bytes)))
}

/// The way to the editor. Nobody who sends waits for it to read.
pub struct Client {
    out: Sender<Vec<u8>>,
    writer: JoinHandle<()>,
    requests: i32,
}

impl Client {
    pub fn new() -> Client {
        let (out, texts): (_, Receiver<Vec<u8>>) = channel();
        let writer = std::thread::spawn(move || {
            let mut stdout = io::stdout().lock();
            for text in texts {
                // Nobody reading any more is noticed where we read.
                let _ = stdout.write_all(&text).and_then(|()| stdout.flush());
            }
        });
        Client { out, writer, requests: 0 }
    }

    fn send(&self, message: Message) {
        let mut text = Vec::new();
        if message.write(&mut text).is_ok() {
            let _ = self.out.send(text);
        }
    }

    pub fn answer(&self, id: RequestId, result: impl Serialize) {
        self.send(Response::new_ok(id, result).into());
    }

    pub fn refuse(&self, id: RequestId, code: ErrorCode, why: impl Into<String>) {
        self.send(Response::new_err(id, code as i32, why.into()).into());
    }

    /// What was read has no number that an answer could have.
    pub fn refuse_junk(&self, why: &str) {
        let error = json!({ "code": ErrorCode::ParseError as i32, "message": why });
        let text = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error }).to_string();
        let _ = self.out.send(format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes());
    }

    pub fn tell<N: KnownNotification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params).into());
    }

    /// Nothing here depends on what the editor answers.
    pub fn ask<R: KnownRequest>(&mut self, params: R::Params) {
        self.requests += 1;
        self.send(Request::new(self.requests.into(), R::METHOD.to_owned(), params).into());
    }

    /// Returns when everything is written.
    pub fn end(self) {
        drop(self.out);
        let _ = self.writer.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(mut input: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        while let Ok(Some(frame)) = frame(&mut input) {
            found.push(match frame {
                Frame::Body(body) => String::from_utf8_lossy(&body).into_owned(),
                Frame::TooLong => "too long".to_owned(),
            });
        }
        found
    }

    #[test]
    fn frames_among_junk() {
        let text = "hello\r\n\r\n\r\ncontent-length: 2\r\nContent-Type: x\r\n\r\n{}Content-Length: 3\n\nabc";
        assert_eq!(bodies(text.as_bytes()), ["{}", "abc"]);
        // Cut off, or of no length.
        assert!(bodies(b"Content-Length: 5\r\n\r\n{}").is_empty());
        assert_eq!(bodies(b"Content-Length: many\r\n\r\nContent-Length: 1\r\n\r\n1"), ["1"]);
        // The length alone makes no room.
        assert_eq!(bodies(b"Content-Length: 99999999999999\r\n\r\n{}"), ["too long"]);
    }
}
