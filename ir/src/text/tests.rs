use super::{parse, print};
use crate::expr::{BinOp, Expr};
use crate::ids::{BlockId, IdVec, LocalId};
use crate::program::{Block, Local, Proc, ProcKind, Program, Stmt, StmtKind, Terminator};
use crate::testgen::random_program;
use proptest::prelude::*;

fn round_trip(program: &Program) -> Program {
    let text = print(program);
    let back = match parse(&text) {
        Ok(back) => back,
        Err(e) => panic!("{e}\n{}", context(&text, e.line)),
    };
    let again = print(&back);
    if again != text {
        let (line, (a, b)) =
            text.lines().zip(again.lines()).enumerate().find(|(_, (a, b))| a != b).unwrap_or((0, ("", "")));
        panic!("line {}:\n{a}\n{b}", line + 1);
    }
    back
}

fn context(text: &str, line: u32) -> String {
    text.lines().skip(line.saturating_sub(3) as usize).take(5).collect::<Vec<_>>().join("\n")
}

/// Every node of a statement's expression has its type again, not only its text.
fn assigned_types(program: &Program) -> Vec<String> {
    let mut shapes = Vec::new();
    let labels = super::names::Labels::new(program);
    for stmt in program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts) {
        if let StmtKind::Assign { value, .. } = stmt.kind {
            shapes.push(shape(program, &labels, value));
        }
    }
    shapes.sort();
    shapes
}

fn shape(program: &Program, labels: &super::names::Labels, id: crate::ids::ExprId) -> String {
    let mut out = super::print_expr::type_text(program, labels, program.exprs.ty(id));
    let expr = program.exprs.get(id);
    crate::visit::for_operands(&program.exprs, expr, &mut |e| out.push_str(&shape(program, labels, e)));
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_programs_round_trip(seed: u64) {
        let program = random_program(seed);
        let back = round_trip(&program);
        prop_assert_eq!(assigned_types(&program), assigned_types(&back));
    }

    #[test]
    fn broken_text_is_an_error_not_a_panic(seed: u64, cut: prop::sample::Index, junk in "\\PC{0,6}") {
        let text = print(&random_program(seed % 16));
        let boundaries: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        let at = boundaries[cut.index(boundaries.len())];
        let _ = parse(&text[..at]);
        let _ = parse(&format!("{}{junk}{}", &text[..at], &text[at..]));
    }
}

fn one_proc(build: impl FnOnce(&mut Program) -> Vec<StmtKind>) -> Program {
    let mut program = Program::default();
    let word = program.types.word();
    let stmts = build(&mut program).into_iter().map(|kind| Stmt { kind, span: None }).collect();
    let mut locals = IdVec::new();
    locals.push(Local { name: "x".to_owned(), ty: word, span: None });
    let mut blocks = IdVec::new();
    blocks.push(Block {
        stmts,
        terminator: Terminator::Return(Vec::new()),
        span: None,
        loop_head: None,
        invariants: Vec::new(),
    });
    program.procs.push(Proc {
        name: "f".to_owned(),
        contract: None,
        kind: ProcKind::Internal,
        params: vec![LocalId(0)],
        rets: Vec::new(),
        locals,
        blocks,
        entry: BlockId(0),
        span: None,
        function: None,
        spec: None,
    });
    program
}

#[test]
fn shared_and_deep_terms_stay_small() {
    let program = one_proc(|p| {
        let word = p.types.word();
        let x = p.exprs.add(Expr::Local(LocalId(0)), word);
        let mut doubled = x;
        for _ in 0..200 {
            doubled = p.exprs.add(Expr::Binary(BinOp::Add, doubled, doubled), word);
        }
        let mut deep = x;
        for _ in 0..20_000 {
            deep = p.exprs.add(Expr::Binary(BinOp::Sub, x, deep), word);
        }
        vec![
            StmtKind::Assign { dst: LocalId(0), value: doubled },
            StmtKind::Assign { dst: LocalId(0), value: deep },
        ]
    });
    assert!(print(&program).len() < 500_000);
    round_trip(&program);
}

#[test]
fn hand_written_text_reads_well() {
    let text = "\
struct C.Item { owner: address, tags: bytes4[] }
enum C.Mode { Off, On }

contract C in \"c.sol\" {
  storage items: mapping(address => C.Item) at 0
  storage mode: C.Mode at 1 + 3
  entry f \"f(uint8)\" 0x00000001 = f payable

  external proc f(%x: uint8, %m: memory C.Item) -> (bool) {
    var %2, %y: uint256
    var %4: bool
  b0:
    %2 = %x as uint256 + 1
    check overflow#0 fits(%x + 250u8)
    store items[msg.sender].tags[%2] = 0x01020304:bytes4
    store *%m = items[%m.owner]
    %4 = mode == C.Mode::On && %m.tags[0] != 0xffffffff:bytes4 && len(*%m.tags) > -%y - 2
    if %4 goto b1 else b2
  b1: loop @0:3-9
    return (%4)
  b2:
    revert abi.encode(selector 0x08c379a0:bytes4, \"no\")
  b3:
    revert panic(0x11)
  b4:
    revert error(\"a reason longer than thirty-two characters\")
  }
}

obligation overflow#0 @0:10-12 in C
";
    let program = parse(text).unwrap();
    assert_eq!(print(&program), text);
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("contract C in \"c.sol\" {\n  storage x: nope at 0\n}\n", "2:14: no type `nope`"),
        ("internal proc f() {\n  b0:\n    goto c1\n  }\n", "3:10: expected a block such as `b0`, found `c1`"),
        ("internal proc f() {\n  b0:\n    %x = 1\n  }\n", "3:5: no local `%x`"),
        (
            "internal proc f() {\n  b0:\n    return () ()\n  }\n",
            "3:15: expected the end of the line, found `(`",
        ),
        ("nonsense", "1:1: expected a declaration, found `nonsense`"),
        ("struct S { a: uint8[ }", "1:22: expected a number, found `}`"),
        ("event E() \"never closed", "1:24: missing closing \""),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }
    let nested = format!("struct S {{ a: {}bool }}", "memory ".repeat(100_000));
    assert!(parse(&nested).unwrap_err().message.contains("nested too deeply"));
}
