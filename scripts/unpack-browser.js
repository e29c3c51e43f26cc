// Unpacks the headless Chromium of an npm package, with the libraries and fonts that it needs:
// chromium, lib/, fonts.conf and fonts/, and a renderer that works without a screen.
//
// usage: node unpack-browser.js PACKAGE TO
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const [from, to] = process.argv.slice(2);
const unpacked = (name) => zlib.brotliDecompressSync(fs.readFileSync(path.join(from, 'bin', name)));
fs.mkdirSync(to, { recursive: true });
for (const archive of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
  const file = path.join(to, archive);
  fs.writeFileSync(file, unpacked(`${archive}.br`));
  execFileSync('python3', ['-m', 'tarfile', '-e', file, to]);
  fs.rmSync(file);
}
// As unpacked it looks for fonts where other people's machines have them.
fs.writeFileSync(path.join(to, 'fonts.conf'),
  `<?xml version="1.0"?>\n<fontconfig><dir>${path.resolve(to, 'fonts')}</dir><dir>/usr/share/fonts</dir></fontconfig>\n`);
fs.writeFileSync(path.join(to, 'chromium'), unpacked('chromium.br'), { mode: 0o755 });
