//! What `hornet verify` says about a file, by place: what must not fail there, and what came of it.

use crate::engine::Subject;
use anyhow::{Context, Result, ensure};
use hornet_ir::program::{Obligation, ObligationKind};
use hornet_ir::text::kind_name;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Checks that the machine can be seen to break: it panics there.
const VISIBLE: [ObligationKind; 7] = [
    ObligationKind::Assertion,
    ObligationKind::Overflow,
    ObligationKind::Underflow,
    ObligationKind::DivisionByZero,
    ObligationKind::OutOfBounds,
    ObligationKind::EmptyPop,
    ObligationKind::EnumConversion,
];

/// All checks of one kind at one place: code of a base is verified once for each heir.
pub struct Claim {
    pub kind: ObligationKind,
    pub start: u32,
    pub end: u32,
    pub line: u64,
    /// By everybody who was asked.
    pub proved: bool,
}

/// Asks the binary, with its own settings for everything but these.
pub fn ask(hornet: &Path, file: &Path, arguments: &[String]) -> Result<Vec<Claim>> {
    let output = Command::new(hornet)
        .args(["verify", "--format", "json"])
        .args(arguments)
        .arg(file)
        .output()
        .with_context(|| format!("{} cannot be run", hornet.display()))?;
    ensure!(
        matches!(output.status.code(), Some(0 | 1 | 3)),
        "refused: {}",
        String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default()
    );
    let json: Value = serde_json::from_slice(&output.stdout)?;
    let mut claims: Vec<Claim> = Vec::new();
    for check in json["checks"].as_array().into_iter().flatten() {
        let Some(claim) = claim(check) else { continue };
        let same = |c: &&mut Claim| (c.kind, c.start, c.end) == (claim.kind, claim.start, claim.end);
        match claims.iter_mut().find(same) {
            Some(known) => known.proved &= claim.proved,
            None => claims.push(claim),
        }
    }
    Ok(claims)
}

/// As if everything were proved.
pub fn everything(subject: &Subject) -> Vec<Claim> {
    let visible = subject.program.obligations.iter().filter(|o| VISIBLE.contains(&o.kind));
    let claim = |o: &Obligation| Claim {
        kind: o.kind,
        start: o.span.start,
        end: o.span.end,
        line: subject.line(o.span) as u64,
        proved: true,
    };
    visible.map(claim).collect()
}

fn claim(check: &Value) -> Option<Claim> {
    let kind = VISIBLE.into_iter().find(|kind| check["kind"] == kind_name(*kind))?;
    let offset = |key| u32::try_from(check["location"][key].as_u64()?).ok();
    Some(Claim {
        kind,
        start: offset("start")?,
        end: offset("end")?,
        line: check["location"]["line"].as_u64()?,
        proved: check["verdict"] == "proved",
    })
}
