#!/usr/bin/env node
// solc-js behind the part of solc's command line that Foundry uses: `--version` and `--standard-json`.
// HORNET_SOLC names the folder of the npm package.
'use strict';
const path = require('path');
const folder = process.env.HORNET_SOLC;
if (process.argv.includes('--version')) {
  const { version } = require(path.join(folder, 'package.json'));
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}+commit.00000000.Linux.g++\n`);
} else {
  const solc = require(path.join(folder, 'wrapper.js'))(require(path.join(folder, 'soljson.js')));
  process.stdout.write(solc.compile(require('fs').readFileSync(0, 'utf8')));
}
