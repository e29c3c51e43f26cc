// Newer solc-js hold the compiler as compressed WebAssembly in base64, and unpack it in JavaScript at every start: half
// of the time to the first answer. This does it once. Argument: the node_modules folder. What it does not recognise stays.
'use strict';
const fs = require('fs');
const path = require('path');
const modules = process.argv[2];

for (const folder of fs.readdirSync(modules).filter((name) => name.startsWith('solc-'))) {
  const at = (name) => path.join(modules, folder, name);
  const text = fs.readFileSync(at('soljson.js'), 'utf8');
  // `var Module = Module || {}; Module["wasmBinary"] = (function (source, size) {…})("base64…", size);` and the rest.
  const data = text.indexOf('})("');
  const end = text.indexOf(');\n', data);
  if (!text.startsWith('var Module = Module || {};\nModule["wasmBinary"] = (') || data < 0 || end < 0) continue;
  const wasm = new Function(`${text.slice(0, end + 2)} return Module["wasmBinary"];`)();
  if (Buffer.from(wasm).toString('latin1', 0, 4) !== '\0asm') continue;
  const load = 'var Module = { wasmBinary: require("fs").readFileSync(require("path").join(__dirname, "soljson.wasm")) };';
  fs.writeFileSync(at('soljson.wasm'), Buffer.from(wasm));
  fs.writeFileSync(at('soljson-unpacked.js'), load + text.slice(end + 2));
}
