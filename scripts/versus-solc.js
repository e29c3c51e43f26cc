// `make versus-solc`: the same files, checked by Hornet and by solc's own model checker, which asks the same z3 through
// its SMT-LIB callback. Prints how many assertions each decides, and in what time. One file at a time, one process each.
//
// usage: node versus-solc.js HORNET SOLC_PACKAGE Z3 FOLDER [--list]      (--list: files of which one decides more)
//        node versus-solc.js --solc SOLC_PACKAGE Z3 FILE EXT_CALLS      (one file by solc: counts as JSON)
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

// What solc's own callback gives to z3, so that it is at its best.
const SPACER = ['rlimit=20000000', 'rewriter.pull_cheap_ite=true', 'fp.spacer.q3.use_qgen=true', 'fp.spacer.mbqi=false', 'fp.spacer.ground_pobs=false'];
// Both are asked about assertions and about nothing else.
const ASSERTIONS_ONLY = ['--without', 'overflow,underflow,division-by-zero,out-of-bounds,empty-pop,enum-conversion,insufficient-balance'];
const LIMIT_MS = 60000;
const SAFE = '9576', VIOLATED = '6328';

// Counts what solc's model checker says about the assertions of a file.
function bySolc(solcPackage, z3, file, extCalls) {
  const solc = require(solcPackage);
  const query = (text) => {
    const run = spawnSync(z3, ['-smt2', '-in', ...SPACER], { input: text, maxBuffer: 1 << 28 });
    return { contents: run.stdout.toString() };
  };
  const modelChecker = { engine: 'chc', solvers: ['smtlib2'], targets: ['assert'], showProvedSafe: true, extCalls };
  const input = {
    language: 'Solidity',
    sources: { 'input.sol': { content: fs.readFileSync(file, 'utf8') } },
    settings: { modelChecker, outputSelection: { '*': { '*': [] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { smtSolver: query }));
  const errors = output.errors || [];
  const places = (code, says) => new Set(errors
    .filter((e) => e.errorCode === code && e.message.includes(says) && e.sourceLocation)
    .map((e) => `${e.sourceLocation.start}-${e.sourceLocation.end}`));
  const violated = places(VIOLATED, 'happens here');
  const proved = [...places(SAFE, 'Assertion')].filter((place) => !violated.has(place));
  return { compiled: !errors.some((e) => e.severity === 'error'), proved: proved.length, violated: violated.size, broken: [...violated] };
}

// Counts what Hornet says about them; an assertion that several contracts run is one.
function byHornet(hornet, file, extCalls) {
  const run = spawnSync(hornet, ['verify', '--no-cache', '--ext-calls', extCalls, ...ASSERTIONS_ONLY, '--format', 'json', file], { maxBuffer: 1 << 28, timeout: LIMIT_MS });
  let report;
  try { report = JSON.parse(run.stdout.toString()); } catch { return null; }
  const places = new Map();
  for (const check of report.checks.filter((c) => c.kind === 'assertion')) {
    const place = `${check.location.start}-${check.location.end}`;
    places.set(place, [...(places.get(place) || []), check]);
  }
  const all = [...places.values()];
  const violated = all.filter((checks) => checks.some((c) => c.verdict === 'violated' && c.confirmed)).length;
  const holds = [...places].filter(([, checks]) => checks.every((c) => c.verdict === 'proved')).map(([place]) => place);
  return { proved: holds.length, violated, assertions: all.length, holds };
}

function sources(folder) {
  const below = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return below.filter((e) => e.isFile() && e.name.endsWith('.sol')).map((e) => path.join(e.parentPath || e.path, e.name)).sort();
}

const seconds = (began) => Number(process.hrtime.bigint() - began) / 1e9;
const quantile = (times, q) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(q * times.length))] || 0;
const show = (times) => `${times.reduce((a, b) => a + b, 0).toFixed(1)} s in all, median ${quantile(times, 0.5).toFixed(2)} s, 95 % below ${quantile(times, 0.95).toFixed(2)} s`;

const decided = (counts) => (counts ? counts.proved + counts.violated : 0);
const told = (counts) => (counts ? `${counts.proved} proved ${counts.violated} violated` : 'no answer');

function compare(hornet, solcPackage, z3, folder, list) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'hornet-versus-'));
  const totals = { files: 0, assertions: 0, disputed: 0, hornet: { proved: 0, violated: 0, times: [] }, solc: { proved: 0, violated: 0, times: [] } };
  const files = sources(folder);
  for (const [index, file] of files.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${index} of ${files.length} files`);
    // Expectations at the end of a file are not for the tools; several sources in one file are not for us.
    const whole = fs.readFileSync(file, 'utf8');
    const text = whole.split(/\n\/\/ (?:====|----)/)[0] + '\n';
    // Which contracts are believed is said there, too.
    const extCalls = /^\/\/ SMTExtCalls: trusted$/m.test(whole) ? 'trusted' : 'untrusted';
    if (text.includes('==== Source')) continue;
    const input = path.join(work, 'input.sol');
    fs.writeFileSync(input, text);
    let began = process.hrtime.bigint();
    const ours = byHornet(hornet, input, extCalls);
    const ourTime = seconds(began);
    began = process.hrtime.bigint();
    const run = spawnSync(process.execPath, [__filename, '--solc', solcPackage, z3, input, extCalls], { timeout: LIMIT_MS });
    const theirTime = seconds(began);
    let theirs = null;
    try { theirs = JSON.parse(run.stdout.toString()); } catch { /* out of time, or of memory */ }
    if (ours === null || (theirs && !theirs.compiled) || ours.assertions === 0) continue;
    if (list && decided(ours) !== decided(theirs)) {
      console.log(`${file}: hornet ${told(ours)}, ${ourTime.toFixed(1)} s; solc ${told(theirs)}, ${theirTime.toFixed(1)} s`);
    }
    totals.files += 1;
    totals.assertions += ours.assertions;
    totals.disputed += theirs ? theirs.broken.filter((place) => ours.holds.includes(place)).length : 0;
    for (const [side, counts, time] of [[totals.hornet, ours, ourTime], [totals.solc, theirs || { proved: 0, violated: 0 }, theirTime]]) {
      side.proved += counts.proved;
      side.violated += counts.violated;
      side.times.push(time);
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  fs.rmSync(work, { recursive: true });
  const line = (name, side) => console.log(`${name}: ${side.proved + side.violated} decided (${side.proved} proved, ${side.violated} violated), ${show(side.times)}`);
  console.log(`${totals.files} files with ${totals.assertions} assertions`);
  line('hornet', totals.hornet);
  line('solc  ', totals.solc);
  console.log(`violated by solc, proved by hornet with invariants that were checked again: ${totals.disputed}`);
  const sum = (times) => times.reduce((a, b) => a + b, 0);
  console.log(`time, hornet / solc: ${(sum(totals.hornet.times) / sum(totals.solc.times)).toFixed(2)}`);
}

const args = process.argv.slice(2);
if (args[0] === '--solc' && args.length === 5) {
  console.log(JSON.stringify(bySolc(...args.slice(1))));
} else if (args.length === 4 || (args.length === 5 && args[4] === '--list')) {
  compare(...args.slice(0, 4), args.length === 5);
} else {
  console.error('usage: versus-solc.js HORNET SOLC_PACKAGE Z3 FOLDER [--list]');
  process.exit(2);
}
