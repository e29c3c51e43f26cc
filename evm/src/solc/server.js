// Keeps one solc alive: reads one standard-JSON input per line, writes one output per line.
// Arguments: the node_modules folder, the version whose compiler to load, the version whose wrapper to use.
'use strict';
const path = require('path');
const [modules, version, wrapperVersion] = process.argv.slice(-3);
const wrapper = require(path.join(modules, `solc-${wrapperVersion}`, 'wrapper.js'));
const load = () => wrapper(require(path.join(modules, `solc-${version}`, 'soljson.js')));
const solc = load();
// Old builds install handlers that end the process on their own terms.
process.removeAllListeners('uncaughtException');
process.removeAllListeners('unhandledRejection');

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
