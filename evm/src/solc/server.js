// Keeps one solc alive: reads one standard-JSON input per line, writes one output per line.
// Arguments: the node_modules folder, the version whose compiler to load, the version whose wrapper to use, and `warm`
// to compile something before anybody asks.
'use strict';
const fs = require('fs');
const path = require('path');
const v8 = require('v8');
// Most of a compiler is never run: do not check functions before they are, and optimise only what runs for long.
// (Set here, as node refuses to start with flags that it does not know.)
v8.setFlagsFromString('--wasm-lazy-validation');
v8.setFlagsFromString('--wasm-tiering-budget=50000000');

const [modules, version, wrapperVersion, warm] = process.argv.slice(-4);
const wrapper = require(path.join(modules, `solc-${wrapperVersion}`, 'wrapper.js'));
const compilerFile = (name) => path.join(modules, `solc-${version}`, name);
const unpacked = compilerFile('soljson-unpacked.js');
const solc = wrapper(require(fs.existsSync(unpacked) ? unpacked : compilerFile('soljson.js')));
// Old builds install handlers that end the process on their own terms.
process.removeAllListeners('uncaughtException');
process.removeAllListeners('unhandledRejection');

if (warm === 'warm') {
  const content = 'contract C { mapping(address => uint) m; function f(uint x) public { m[msg.sender] += x; } }';
  const outputSelection = { '*': { '*': ['evm.bytecode', 'evm.deployedBytecode'] } };
  const input = { language: 'Solidity', sources: { a: { content } }, settings: { outputSelection } };
  solc.compile(JSON.stringify(input));
}

let pending = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  pending += chunk;
  let end;
  while ((end = pending.indexOf('\n')) >= 0) {
    const line = pending.slice(0, end);
    pending = pending.slice(end + 1);
    let answer;
    try {
      answer = JSON.stringify(JSON.parse(solc.compile(line)));
    } catch (problem) {
      answer = JSON.stringify({ crash: String(problem) });
    }
    process.stdout.write(answer + '\n');
  }
});
process.stdin.on('end', () => process.exit(0));
