// `make gas-versus-solc`: the same functions, bounded by Hornet and estimated by solc (`gasEstimates` of its standard
// JSON), with the same compiler and settings. Prints how many are finite in each, and by how much they differ.
//
// usage: node gas-versus-solc.js HORNET SOLC_PACKAGE PACKAGES [--list] FOLDER|FILE…
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const LIMIT_MS = 120000;

// Ceilings of the execution, by contract and signature. None for what it refuses; nothing if it does not come to an end.
function byHornet(hornet, file, packages) {
  const chain = ['--evm-version', 'cancun', '--fork', 'cancun'];
  const options = ['--format', 'json', '--timeout', '0', ...chain, '--include', packages];
  const run = spawnSync(hornet, ['gas', ...options, file], { maxBuffer: 1 << 28, timeout: LIMIT_MS });
  try {
    return JSON.parse(run.stdout.toString()).contracts;
  } catch {
    return null;
  }
}

// What solc estimates, by contract and signature.
function bySolc(solc, file, packages) {
  const find = (name) => {
    const place = [path.join(packages, name), path.join(path.dirname(file), name)].find((p) => fs.existsSync(p));
    return place ? { contents: fs.readFileSync(place, 'utf8') } : { error: 'not found' };
  };
  const name = path.basename(file);
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: fs.readFileSync(file, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['evm.gasEstimates'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find }));
  const estimates = {};
  for (const [contract, result] of Object.entries((output.contracts || {})[name] || {})) {
    estimates[contract] = (result.evm.gasEstimates || {}).external || {};
  }
  return estimates;
}

function sources(place) {
  if (fs.statSync(place).isFile()) return [place];
  const below = fs.readdirSync(place, { withFileTypes: true, recursive: true });
  return below.filter((e) => e.isFile() && e.name.endsWith('.sol')).map((e) => path.join(e.parentPath || e.path, e.name)).sort();
}

const quantile = (numbers, q) => [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(q * numbers.length))] || 0;
const share = (part, all) => `${part} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;

// What stands for the functions of a file that Hornet says nothing about.
const unanswered = (theirs) =>
  Object.entries(theirs).map(([contract, estimates]) => ({
    contract,
    functions: Object.keys(estimates).map((name) => ({
      signature: name || 'fallback()',
      ceiling: { bounded: false, execution: null },
    })),
  }));

function compare(hornet, solcPackage, packages, list, places) {
  const solc = require(solcPackage);
  const total = { functions: 0, number: 0, formula: 0, solc: 0, above: 0, ratios: [], late: [], refused: [] };
  for (const file of places.flatMap(sources)) {
    const theirs = bySolc(solc, file, packages);
    const ours = byHornet(hornet, file, packages);
    if (ours === null) total.late.push(file);
    else if (ours.length === 0) total.refused.push(file);
    for (const { contract, functions } of ours || unanswered(theirs)) {
      for (const { signature, ceiling } of functions) {
        const name = signature === 'fallback()' || signature === 'receive()' ? '' : signature;
        const estimate = (theirs[contract] || {})[name];
        if (estimate === undefined) continue;
        total.functions += 1;
        const bound = ceiling.execution;
        if (bound !== null) total.number += 1;
        else if (ceiling.bounded) total.formula += 1;
        else if (list) console.log(`unbounded: ${file} ${contract}.${signature}`);
        if (estimate === 'infinite') continue;
        total.solc += 1;
        if (bound !== null) total.ratios.push(bound / Number(estimate));
        if (bound !== null && bound > Number(estimate)) total.above += 1;
      }
    }
  }
  const { functions, number, formula, ratios, late, refused } = total;
  console.log(`${functions} functions`);
  console.log(`hornet: ${share(number + formula, functions)} bounded, ${number} by a number, ${formula} by a formula`);
  console.log(`solc:   ${share(total.solc, functions)} finite`);
  console.log(`ceiling / estimate where both are numbers: median ${quantile(ratios, 0.5).toFixed(3)}, 10 % ${quantile(ratios, 0.1).toFixed(3)}, 90 % ${quantile(ratios, 0.9).toFixed(3)}; ${total.above} ceilings are higher`);
  for (const file of refused) console.log(`not compared, for solc's code is for another chain or there is none: ${file}`);
  for (const file of late) console.log(`no answer within ${LIMIT_MS / 1000} s, counted as unbounded: ${file}`);
}

const args = process.argv.slice(2);
const list = args.includes('--list');
const [hornet, solcPackage, packages, ...places] = args.filter((arg) => arg !== '--list');
if (places.length === 0) {
  console.error('usage: gas-versus-solc.js HORNET SOLC_PACKAGE PACKAGES [--list] FOLDER|FILE…');
  process.exit(2);
}
compare(hornet, solcPackage, packages, list, places);
