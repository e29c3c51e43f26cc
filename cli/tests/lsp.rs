//! `hornet lsp`, spoken to over its standard input and output as editors do.

mod common;

use common::Folder;
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// For a busy machine; nothing takes that long.
const PATIENCE: Duration = Duration::from_secs(60);

const METHOD_NOT_FOUND: i32 = -32601;
const PARSE_ERROR: i32 = -32700;
const REQUEST_CANCELLED: i32 = -32800;

struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What was read while something else was waited for.
    unread: Vec<Value>,
    requests: i32,
}

impl Editor {
    fn start() -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_hornet"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Ok(Some(body)) = body(&mut output) {
                let _ = sender.send(body);
            }
        });
        let input = server.stdin.take();
        Editor { server, input, messages, unread: Vec::new(), requests: 0 }
    }

    /// Says what it can do, and hears what the server can.
    fn introduced() -> (Editor, Value) {
        let mut editor = Editor::start();
        let capabilities = json!({
            "window": { "workDoneProgress": true },
            "workspace": {
                "applyEdit": true,
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
                "codeLens": { "refreshSupport": true },
            },
        });
        let answer =
            editor.ask("initialize", json!({ "processId": null, "capabilities": capabilities })).unwrap();
        editor.tell("initialized", json!({}));
        (editor, answer["capabilities"].clone())
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn send(&mut self, message: Message) {
        let mut bytes = Vec::new();
        message.write(&mut bytes).unwrap();
        self.write(&bytes);
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.requests += 1;
        self.send(Request::new(self.requests.into(), method.to_owned(), params).into());
        self.requests
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    fn answer(&mut self, id: i32) -> Result<Value, Value> {
        let answer =
            self.wait(&format!("the answer to {id}"), |m| m["id"] == id && m.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.unread.iter().position(&fits) {
                return self.unread.remove(at);
            }
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left);
            let message = message.unwrap_or_else(|e| panic!("{what}: {e}; unread: {:#?}", self.unread));
            // What the server asks is answered: nothing to object.
            if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
                let id = serde_json::from_value(id.clone()).unwrap();
                self.send(Response::new_ok(id, Value::Null).into());
            }
            self.unread.push(message);
        }
    }

    fn open(&mut self, path: &Path, text: &str) -> String {
        let uri = format!("file://{}", path.display()).replace(' ', "%20");
        let document = json!({ "uri": uri, "languageId": "solidity", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    fn change(&mut self, uri: &str, version: i32, range: Value, text: &str) {
        let changes = json!([{ "range": range, "text": text }]);
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn save(&mut self, uri: &str) {
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    /// The next diagnostics of a file that are as they should be.
    fn diagnostics(&mut self, uri: &str, fits: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let told = self.wait(&format!("diagnostics of {uri}"), |m| {
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && fits(m["params"]["diagnostics"].as_array().unwrap())
        });
        told["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn lenses(&mut self, uri: &str) -> Vec<(i64, String, Value)> {
        let lenses = self.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
        let lens = |l: &Value| {
            let line = l["range"]["start"]["line"].as_i64().unwrap();
            (line, text(&l["command"]["title"]), l["command"].clone())
        };
        lenses.as_array().unwrap().iter().map(lens).collect()
    }

    /// The titles above a line.
    fn above(&mut self, uri: &str, line: i64) -> Vec<String> {
        self.lenses(uri).into_iter().filter(|(at, ..)| *at == line).map(|(_, title, _)| title).collect()
    }

    fn hover(&mut self, uri: &str, line: u32, character: u32) -> String {
        let at =
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
        text(&self.ask("textDocument/hover", at).unwrap()["contents"]["value"])
    }

    fn fixes(&mut self, uri: &str, line: u32) -> Vec<Value> {
        let place = json!({ "line": line, "character": 10 });
        let params = json!({
            "textDocument": { "uri": uri },
            "range": { "start": place, "end": place },
            "context": { "diagnostics": [] },
        });
        self.ask("textDocument/codeAction", params).unwrap().as_array().unwrap().clone()
    }

    fn execute(&mut self, command: &Value) -> i32 {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        self.begin("workspace/executeCommand", params)
    }

    /// Takes leave properly.
    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn body(input: &mut impl std::io::BufRead) -> std::io::Result<Option<Value>> {
    let mut header = String::new();
    let mut length = 0;
    loop {
        header.clear();
        if input.read_line(&mut header)? == 0 {
            return Ok(None);
        }
        match header.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().unwrap(),
            None if header.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(Some(serde_json::from_slice(&bytes).unwrap()))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

/// A folder with a project in it.
fn project(name: &str, file: &str, source: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(&format!("lsp-{name}"));
    folder.write("hornet.toml", "[verify]\ntimeout = 60\n");
    let path = folder.write(file, source);
    (folder, path)
}

#[test]
fn errors_come_and_go_with_the_text() {
    let (_folder, path) = project("errors", "src/C.sol", "");
    let (mut editor, able) = Editor::introduced();
    assert_eq!(able["positionEncoding"], "utf-16");
    // The bee is one character, two units of UTF-16 and four bytes.
    let uri = editor.open(&path, "contract C {\n    string s = unicode\"\u{1f41d}\"; uint x = 1\n}\n");
    let errors = editor.diagnostics(&uri, |d| !d.is_empty());
    assert_eq!(
        (errors.len(), &errors[0]["severity"], &errors[0]["source"]),
        (1, &json!(1), &json!("hornet")),
        "{errors:?}"
    );
    editor.change(&uri, 2, range(1, 37, 38), "1; uint y = z;");
    let errors = editor.diagnostics(&uri, |d| d.iter().any(|e| text(&e["message"]).contains('z')));
    assert_eq!(errors[0]["range"], range(1, 49, 50), "{errors:?}");
    editor.change(&uri, 3, range(1, 49, 50), "x");
    assert!(editor.diagnostics(&uri, |d| d.is_empty()).is_empty());
    // An annotation is checked like code.
    editor.change(&uri, 4, range(0, 0, 0), "/// @notice invariant s == 1\n");
    let errors = editor.diagnostics(&uri, |d| !d.is_empty());
    assert_eq!(errors[0]["range"]["start"]["line"], 0, "{errors:?}");
    editor.end();
}

#[test]
fn what_is_imported_is_read_as_it_is_in_the_editor() {
    let (folder, base) = project("imports", "src/Base.sol", "contract Base { function f() internal {} }\n");
    let source = "import \"./Base.sol\";\ncontract Child is Base { function g() external { f(); } }\n";
    let path = folder.write("src/Child.sol", source);
    let (mut editor, _) = Editor::introduced();
    let child = editor.open(&path, source);
    editor.diagnostics(&child, |d| d.is_empty());
    let base = editor.open(&base, "contract Base { function f() internal {} }\n");
    editor.diagnostics(&base, |d| d.is_empty());
    editor.change(&base, 2, range(0, 25, 26), "h");
    assert_eq!(editor.diagnostics(&child, |d| !d.is_empty())[0]["range"]["start"]["line"], 1);
    editor.end();
}

#[test]
fn strangers_and_nonsense() {
    let mut editor = Editor::start();
    assert_eq!(editor.ask("textDocument/hover", json!({})).unwrap_err()["code"], -32002);
    let offered = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let able = editor.ask("initialize", json!({ "capabilities": offered })).unwrap();
    assert_eq!(able["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(editor.ask("textDocument/rename", json!({})).unwrap_err()["code"], METHOD_NOT_FOUND);
    assert_eq!(editor.ask("textDocument/hover", json!([1])).unwrap_err()["code"], -32602);
    assert_eq!(
        editor.ask("workspace/executeCommand", json!({ "command": "fly" })).unwrap_err()["code"],
        -32602
    );
    editor.tell("textDocument/didChange", json!("what"));
    editor.write(b"nonsense\r\n\r\nContent-Length: 9\r\n\r\n{nonsense");
    let refusal = editor.wait("a refusal", |m| m["error"]["code"] == PARSE_ERROR);
    assert_eq!(refusal["id"], Value::Null);
    // A file that nobody has, and text that is none.
    let uri = editor.open(Path::new("/nowhere/at all.sol"), &"\u{0}{[(\u{1f41d}\r".repeat(1000));
    editor.diagnostics(&uri, |d| !d.is_empty());
    // More mistakes than anybody wants to see, each of them far down.
    let many = format!("contract C {{ function f() public {{\n{}}} }}", "uint x = 1;\n".repeat(20_000));
    let uri = editor.open(Path::new("/nowhere/many.sol"), &many);
    assert_eq!(editor.diagnostics(&uri, |d| !d.is_empty()).len(), 200);
    let url = "untitled:Untitled-1";
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": url, "languageId": "solidity", "version": 1, "text": "" } }),
    );
    assert!(editor.lenses(url).is_empty());
    editor.end();
}

const BROKEN: &str = "pragma solidity ^0.8.0;
contract Bank {
    uint256 total;
    function set(uint256 n) external {
        require(n < 20);
        total = n;
    }
    function audit() external view {
        assert(total < 15);
    }
}
";

#[test]
fn a_mistake_is_shown_with_its_transactions() {
    let (folder, path) = project("mistake", "src/Bank.sol", BROKEN);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, BROKEN);
    editor.diagnostics(&uri, |d| d.is_empty());
    assert_eq!(editor.above(&uri, 1), ["prove Bank"]);
    assert_eq!(editor.above(&uri, 7), ["prove"]);
    editor.save(&uri);
    let begun = editor.wait("progress", |m| m["method"] == "$/progress");
    assert_eq!(begun["params"]["value"]["title"], "Verifying Bank.sol");

    let found = editor.diagnostics(&uri, |d| !d.is_empty());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(text(&found[0]["message"]), "assertion can fail in `Bank.audit` (confirmed on the EVM)");
    assert_eq!((&found[0]["range"], &found[0]["severity"]), (&range(8, 8, 26), &json!(1)));
    let steps = found[0]["relatedInformation"].as_array().unwrap();
    let told: Vec<String> = steps.iter().map(|step| text(&step["message"])).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].starts_with("1. Bank()")
            && told[1].starts_with("2. set(1")
            && told[2].starts_with("3. audit()"),
        "{told:?}"
    );
    assert_eq!(steps[1]["location"]["range"]["start"]["line"], 3);
    editor.wait("the end", |m| m["params"]["value"]["kind"] == "end");

    assert_eq!(editor.above(&uri, 1), ["0 proved · 1 violated · 0 unknown"]);
    assert_eq!(editor.above(&uri, 3), ["✓ verified"]);
    let (_, title, command) = editor.lenses(&uri).into_iter().find(|(line, ..)| *line == 7).unwrap();
    assert_eq!(title, "✗ assertion can fail: show counterexample");
    let id = editor.execute(&command);
    let story = text(&editor.answer(id).unwrap()["text"]);
    assert!(story.contains("3. audit()") && story.contains("confirmed on the EVM"), "{story}");
    // An editor that has not said that it shows it gets it as a message.
    let shown = editor.wait("a message", |m| m["method"] == "window/showMessage");
    assert_eq!(text(&shown["params"]["message"]), story);

    let hover = editor.hover(&uri, 7, 15);
    assert!(
        hover.contains("✗ violated: 1 check violated") && hover.contains("gas: being computed"),
        "{hover}"
    );
    let until = Instant::now() + PATIENCE;
    while editor.hover(&uri, 7, 15).contains("being computed") && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
    }
    let hover = editor.hover(&uri, 7, 15);
    assert!(hover.contains("gas: at most ") && hover.contains("worst seen "), "{hover}");

    let fixes = editor.fixes(&uri, 7);
    let fix = fixes.iter().find(|f| text(&f["title"]).starts_with("Write a Foundry test")).unwrap();
    let id = editor.execute(&fix["command"]);
    let edit = editor.wait("an edit", |m| m["method"] == "workspace/applyEdit");
    let changes = &edit["params"]["edit"]["documentChanges"];
    let test = text(&changes[0]["uri"]);
    assert!(
        test.ends_with("/test/Bank_audit_assertion_9.t.sol") && changes[0]["kind"] == "create",
        "{changes}"
    );
    let written = text(&changes[1]["edits"][0]["newText"]);
    assert!(written.contains("\"../src/Bank.sol\"") && written.contains("contract "), "{written}");
    assert_eq!(editor.answer(id).unwrap(), test);
    assert!(!folder.0.join("test").exists());

    // What is changed is not verified any more, and the rest was when it was saved.
    editor.change(&uri, 2, range(8, 23, 25), "25");
    assert_eq!(editor.above(&uri, 7), Vec::<String>::new());
    assert_eq!(editor.above(&uri, 3), ["✓ verified (as of the last save)"]);
    editor.diagnostics(&uri, |d| d.is_empty());
    assert_eq!(editor.above(&uri, 7), ["prove"]);
    assert!(editor.hover(&uri, 7, 15).contains("not verified as it stands"));
    assert!(
        editor
            .ask(
                "workspace/executeCommand",
                json!({ "command": "hornet.prove", "arguments": [{ "uri": uri }] })
            )
            .is_err()
    );

    std::fs::write(&path, BROKEN.replace("15", "25")).unwrap();
    editor.save(&uri);
    let id = editor
        .execute(&json!({ "command": "hornet.prove", "arguments": [{ "uri": uri, "contract": "Bank" }] }));
    assert_eq!(editor.answer(id).unwrap(), "1 proved · 0 violated · 0 unknown");
    assert_eq!(editor.above(&uri, 7), ["✓ verified, 1 check"]);
    editor.end();
}

#[test]
fn what_is_accepted_is_a_hint() {
    let (folder, path) = project("accepted", "Bank.sol", BROKEN);
    let accepted = "[[accept]]\ncontract = 'Bank'\nkind = 'assertion'\nreason = 'audited'\n";
    folder.write("hornet.toml", accepted);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, BROKEN);
    editor.save(&uri);
    let found = editor.diagnostics(&uri, |d| !d.is_empty());
    assert_eq!(found[0]["severity"], 4, "{found:#?}");
    assert!(text(&found[0]["message"]).ends_with("; accepted: audited"), "{found:#?}");
    assert_eq!(editor.above(&uri, 7), ["✓ verified, 1 check"]);
    // With other settings the answer might be another.
    folder.write("hornet.toml", "");
    assert_eq!(editor.above(&uri, 7), ["✓ verified, 1 check (as of the last save)"]);
    folder.write("hornet.toml", "[verify]\ntimeout = 'long'\n");
    editor.save(&uri);
    let settings = format!("file://{}", folder.0.join("hornet.toml").display());
    assert_eq!(editor.diagnostics(&settings, |d| !d.is_empty())[0]["range"]["start"]["line"], 1);
    editor.end();
}

#[test]
fn an_invariant_that_was_found_can_be_pasted() {
    let source =
        BROKEN.replace("n < 20", "n < 10").replace("contract Bank", "library L {}\n\n  contract Bank");
    let (_folder, path) = project("invariant", "Bank.sol", &source);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, &source);
    let id = editor
        .execute(&json!({ "command": "hornet.prove", "arguments": [{ "uri": uri, "contract": "Bank" }] }));
    assert_eq!(editor.answer(id).unwrap(), "1 proved · 0 violated · 0 unknown");
    assert_eq!(editor.above(&uri, 9), ["✓ verified, 1 check"]);
    let hover = editor.hover(&uri, 9, 15);
    assert!(hover.contains("because of invariants:\n```solidity\ntotal <"), "{hover}");
    let fixes = editor.fixes(&uri, 9);
    assert_eq!(fixes.len(), 1, "{fixes:#?}");
    let edits = fixes[0]["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
    let mut lines: Vec<String> = source.split_inclusive('\n').map(str::to_owned).collect();
    for edit in edits.iter().rev() {
        assert_eq!(edit["range"], range(3, 0, 0), "{edit}");
        lines.insert(3, text(&edit["newText"]));
    }
    let annotated: String = lines.concat();
    assert!(annotated.contains("\n  /// @notice invariant total <"), "{annotated}");
    let modular = |source: &str| {
        std::fs::write(&path, source).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
        command.args(["verify", "--engine", "modular"]).arg(&path).output().unwrap().status.code()
    };
    assert_eq!(modular(&annotated), Some(0), "{annotated}");
    assert_eq!(modular(&source), Some(1));
    editor.end();
}

#[test]
fn an_invariant_about_what_cannot_be_named_is_not_offered() {
    let source = BROKEN
        .replace("n < 20", "n < 10")
        .replace("uint256 total", "uint256 private total")
        .replace(
            "function audit() external view",
            "}\ncontract Child is Bank {\n    function held() internal view returns (uint256) { return read(); }\n    function audit() external view",
        )
        .replace("total < 15", "held() < 15")
        .replace(
            "    function set",
            "    function read() internal view returns (uint256) { return total; }\n    function set",
        );
    let (_folder, path) = project("private", "Bank.sol", &source);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, &source);
    let id = editor.execute(&json!({ "command": "hornet.prove", "arguments": [{ "uri": uri }] }));
    assert_eq!(editor.answer(id).unwrap(), "1 proved · 0 violated · 0 unknown");
    assert!(editor.hover(&uri, 11, 15).contains("```solidity\ntotal <"));
    assert!(editor.fixes(&uri, 11).is_empty());
    assert!(editor.hover(&uri, 10, 15).contains("it is verified with what calls it"));
    editor.end();
}

/// Nobody can say soon whether this wraps around.
const LONG: &str = "pragma solidity ^0.8.0;
contract Slow {
    uint256 total;
    function add(uint256 n) external {
        require(n > 0 && n < 10);
        total += n;
    }
}
";

/// A process and all that it has started, by their numbers.
#[cfg(target_os = "linux")]
fn descendants(of: u32) -> BTreeSet<u32> {
    let processes: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let about = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let mut after_name = about.rsplit_once(')')?.1.split_whitespace();
            let (state, parent) = (after_name.next()?, after_name.next()?.parse().ok()?);
            (state != "Z").then_some((pid, parent))
        })
        .collect();
    let mut found = BTreeSet::from([of]);
    while let Some((pid, _)) =
        processes.iter().find(|(pid, parent)| found.contains(parent) && !found.contains(pid))
    {
        found.insert(*pid);
    }
    found.remove(&of);
    found
}

/// Waits until a verification with its solver runs.
#[cfg(target_os = "linux")]
fn at_work(editor: &Editor) -> BTreeSet<u32> {
    let until = Instant::now() + PATIENCE;
    loop {
        let found = descendants(editor.server.id());
        if found.len() >= 2 {
            return found;
        }
        assert!(Instant::now() < until, "nothing is started");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
fn gone(processes: &BTreeSet<u32>) {
    let until = Instant::now() + PATIENCE;
    let alive = |pid: &&u32| {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|about| !about.contains(") Z "))
    };
    while let Some(pid) = processes.iter().find(alive) {
        assert!(Instant::now() < until, "{pid} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_nobody_waits_for_ends() {
    let (_folder, path) = project("cancel", "Slow.sol", LONG);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, LONG);
    let prove = json!({ "command": "hornet.prove", "arguments": [{ "uri": uri }] });

    let id = editor.execute(&prove);
    let started = at_work(&editor);
    // Meanwhile questions are answered.
    assert_eq!(editor.above(&uri, 3), ["prove"]);
    editor.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.answer(id).unwrap_err()["code"], REQUEST_CANCELLED);
    gone(&started);

    let id = editor.execute(&prove);
    let started = at_work(&editor);
    editor.change(&uri, 2, range(0, 0, 0), " ");
    assert!(editor.answer(id).is_err());
    gone(&started);
    editor.change(&uri, 3, range(0, 0, 1), "");

    editor.save(&uri);
    let begun = editor.wait("progress", |m| {
        m["params"]["value"]["title"] == "Verifying Slow.sol" && m["params"]["token"] == "hornet/3"
    });
    let started = at_work(&editor);
    editor.tell("window/workDoneProgress/cancel", json!({ "token": begun["params"]["token"] }));
    gone(&started);

    editor.execute(&prove);
    let started = at_work(&editor);
    drop(editor.input.take());
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
    gone(&started);
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_is_killed_leaves_nothing() {
    let (_folder, path) = project("killed", "Slow.sol", LONG);
    let (mut editor, _) = Editor::introduced();
    let uri = editor.open(&path, LONG);
    editor.execute(&json!({ "command": "hornet.prove", "arguments": [{ "uri": uri }] }));
    let started = at_work(&editor);
    editor.server.kill().unwrap();
    gone(&started);
}

#[test]
fn the_extension_has_the_commands_of_the_server() {
    let (editor, able) = Editor::introduced();
    editor.end();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode");
    let package: Value =
        serde_json::from_slice(&std::fs::read(folder.join("package.json")).unwrap()).unwrap();
    let contributed: BTreeSet<String> =
        package["contributes"]["commands"].as_array().unwrap().iter().map(|c| text(&c["command"])).collect();
    let served: BTreeSet<String> =
        able["executeCommandProvider"]["commands"].as_array().unwrap().iter().map(text).collect();
    assert_eq!(contributed, served);
    let main = folder.join(text(&package["main"]));
    let checked = Command::new("node").arg("--check").arg(&main).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let script = std::fs::read_to_string(&main).unwrap();
    for setting in package["contributes"]["configuration"]["properties"].as_object().unwrap().keys() {
        let (section, name) = setting.split_once('.').unwrap();
        assert!(
            script.contains(&format!("getConfiguration(\"{section}\").get(\"{name}\"")),
            "{setting} is not read"
        );
    }
}
