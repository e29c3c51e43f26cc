// Looks at a run in which somebody calls back: `pay()` sets a variable to 7, and `audit()` fails inside.
//
// usage: node reentry.mjs BROWSER PAGE
import assert from 'node:assert/strict';
import { DESK, openPage } from './open.mjs';

const [browserFolder, file] = process.argv.slice(2);
const { browser, page, trouble } = await openPage(browserFolder, file, DESK, false);
try {
  const text = (part) => page.$eval(`.card.violated ${part}`, (node) => node.textContent);
  assert.match(await text('.steps li.now'), /reenters audit\(\) from 0x[0-9a-f]{2,8}(,| |$)/, 'as short as in a terminal');
  assert.equal(await text('.bar .dim'), 'transaction 2 of 2, a call from inside');
  assert.match(await text('.state'), /owed.*7/, 'as it is when the check fails');
  await page.click('.card.violated .back');
  assert.match(await text('.steps li.now'), /pay\(\)/);
  assert.equal(await text('.bar .dim'), 'transaction 2 of 2');
  assert.deepEqual(trouble, []);
} finally {
  await browser.close();
}
