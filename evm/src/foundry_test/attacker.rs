//! Whom the contract calls: small contracts that answer, and call back, as the counterexample says.

use std::collections::BTreeMap;

use hornet_ir::U256;
use hornet_ir::span::SourceMap;
use hornet_ir::trace::{Action, Outside, Step, Trace};

use super::literal::{address, byte_string, number};
use super::{SUBJECT, Verdict, Writer, line};

/// By address; each with its turns in the order in which they begin.
pub(super) struct Attackers<'t>(BTreeMap<U256, Vec<&'t Outside>>);

impl<'t> Attackers<'t> {
    pub(super) fn of(trace: &'t Trace, sources: &SourceMap) -> Attackers<'t> {
        let mut found = BTreeMap::new();
        trace.steps.iter().for_each(|step| collect(step, sources, &mut found));
        // An account that sends transactions has no code, unless it has to do something.
        let plain = |turn: &&Outside| turn.succeeds && turn.returns.is_empty() && turn.reenters.is_empty();
        found.retain(|who, turns: &mut Vec<&Outside>| {
            let sends = trace.steps.iter().any(|step| step.origin == *who);
            *who != trace.this && *who > U256::from(0x20) && !(sends && turns.iter().all(plain))
        });
        Attackers(found)
    }

    pub(super) fn install(&self, out: &mut String) {
        for (i, who) in self.0.keys().enumerate() {
            line(out, &format!("vm.etch({}, address(new HornetAttacker{}()).code);", address(*who), i + 1));
        }
    }

    /// A call back that failed as the counterexample says, wherever that was.
    pub(super) fn judge(&self, verdict: &Verdict, out: &mut String) {
        let Verdict::Panic(code) = verdict else { return };
        for (i, (who, turns)) in self.0.iter().enumerate() {
            if turns.iter().any(|turn| !turn.reenters.is_empty()) {
                let attacker = format!("HornetAttacker{}(payable({}))", i + 1, address(*who));
                let saw = format!("{attacker}.hornetSawPanic({code:#04x})");
                line(out, &format!("require(!{saw}, \"a call back panics\");"));
            }
        }
    }

    pub(super) fn declarations(&self, writer: &mut Writer<'_>) -> Result<String, String> {
        let mut out = String::new();
        for (i, turns) in self.0.values().enumerate() {
            out.push_str(&format!(
                "/// Answers calls as the counterexample says.\ncontract HornetAttacker{} {{\n",
                i + 1
            ));
            out.push_str(
                "    mapping(uint256 => bool) public hornetSawPanic;\n    uint256 private turn;\n\n",
            );
            out.push_str("    receive() external payable { answer(); }\n    fallback() external payable { answer(); }\n\n");
            out.push_str("    function answer() private {\n");
            answers(turns, writer, &mut out)?;
            out.push_str("    }\n\n");
            out.push_str(ANSWERING);
            out.push_str("}\n\n");
        }
        Ok(out)
    }
}

fn collect<'t>(step: &'t Step, sources: &SourceMap, found: &mut BTreeMap<U256, Vec<&'t Outside>>) {
    for outside in &step.outside {
        let creates = outside.span.is_some_and(|span| sources.snippet(span).trim_start().starts_with("new "));
        if !creates {
            found.entry(outside.target).or_default().push(outside);
        }
        outside.reenters.iter().for_each(|step| collect(step, sources, found));
    }
}

fn answers(turns: &[&Outside], writer: &mut Writer<'_>, out: &mut String) -> Result<(), String> {
    // Somebody who always says the same needs no memory, and may be asked in static calls.
    let same = |turn: &&Outside| {
        let does = |turn: &Outside| (turn.succeeds, turn.returns.clone(), turn.writes.clone());
        turn.reenters.is_empty() && does(turn) == does(turns[0])
    };
    if turns.iter().all(same) {
        for (slot, value) in &turns[0].writes {
            line(out, &format!("assembly {{ sstore({slot:#x}, {value:#x}) }}"));
        }
        line(out, &format!("finish({}, {});", turns[0].succeeds, byte_string(&turns[0].returns)));
        return Ok(());
    }
    if turns.iter().any(|turn| !turn.writes.is_empty()) {
        return Err("code that works on the contract's storage has no memory of its own".to_owned());
    }
    line(out, "turn++;");
    for (i, turn) in turns.iter().enumerate() {
        line(out, &format!("if (turn == {}) {{", i + 1));
        for step in &turn.reenters {
            call_back(step, turn.target, writer, out)?;
        }
        line(out, &format!("    finish({}, {});", turn.succeeds, byte_string(&turn.returns)));
        line(out, "}");
    }
    Ok(())
}

fn call_back(step: &Step, me: U256, writer: &mut Writer<'_>, out: &mut String) -> Result<(), String> {
    line(out, &format!("    // {}", writer.told(step)));
    line(out, "    {");
    line(out, &format!("        address {SUBJECT} = msg.sender;"));
    if step.action == Action::ForcedEther || matches!(step.action, Action::Deploy { .. }) {
        line(out, "        // Ether without a call: not from here.");
    } else {
        let mut before = Vec::new();
        let data = writer.data(&step.action, &mut before)?;
        before.iter().for_each(|statement| line(out, &format!("        {statement}")));
        line(out, &format!("        bytes memory data = {data};"));
        if step.caller != me {
            line(
                out,
                &format!("        // In the counterexample this call comes from {}.", address(step.caller)),
            );
        }
        line(out, &format!("        callBack({SUBJECT}, data, {});", number(step.value)));
    }
    line(out, "    }");
    Ok(())
}

const ANSWERING: &str = "    function callBack(address subject, bytes memory data, uint256 value) private {
        (bool ok, bytes memory reason) = subject.call{value: value}(data);
        bytes32 head;
        uint256 code;
        assembly {
            head := mload(add(reason, 32))
            code := mload(add(reason, 36))
        }
        // Panic(uint256)
        if (!ok && reason.length == 36 && bytes4(head) == 0x4e487b71) hornetSawPanic[code] = true;
    }

    function finish(bool ok, bytes memory data) private pure {
        if (ok) assembly { return(add(data, 32), mload(data)) }
        assembly { revert(add(data, 32), mload(data)) }
    }
";
