// The same compiler, as its makers run it: reads one request per line, writes one answer per line. Argument: its folder.
'use strict';
const path = require('path');
const folder = process.argv[2];
const solc = require(path.join(folder, 'wrapper.js'))(require(path.join(folder, 'soljson.js')));
for (const line of require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  require('fs').writeSync(1, solc.compile(line) + '\n');
}
