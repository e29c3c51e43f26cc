// Clicks through a report as a reader would. The page is about a contract with one violated check (the second
// transaction breaks it), at least one proved check, and a function whose gas grows.
//
// usage: node report.mjs BROWSER PAGE SCREENSHOTS
import assert from 'node:assert/strict';
import path from 'node:path';
import { DESK, PHONE, openPage } from './open.mjs';

const [browserFolder, file, screenshots] = process.argv.slice(2);
const texts = (page, selector) => page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));
const visible = (page, selector) => page.$$eval(selector, (nodes) => nodes.filter((n) => n.offsetParent !== null).length);

async function filters(page) {
  const cards = () => texts(page, '.card .badge');
  const all = await cards();
  assert.ok(all.includes('violated') && all.includes('proved'), `badges: ${all}`);
  await page.click('#filters button[data-verdict="proved"]');
  assert.ok(!(await cards()).includes('proved') && (await cards()).includes('violated'), 'proved checks are hidden');
  await page.click('#filters button[data-verdict="violated"]');
  assert.ok(!(await cards()).includes('violated'), 'violated checks are hidden');
  await page.click('#filters button[data-verdict="proved"]');
  await page.click('#filters button[data-verdict="violated"]');
  assert.deepEqual(await cards(), all, 'everything is back');
}

async function stepsThroughTheTrace(page) {
  const now = async () => (await texts(page, '.card.violated .steps li.now')).join('');
  const state = async () => (await texts(page, '.card.violated .state')).join('');
  assert.match(await now(), /check\(\).*block\.timestamp \d+/, 'the last transaction first, with what it asks of the block');
  assert.deepEqual(await texts(page, '.card.violated .bar .dim'), ['transaction 3 of 3']);
  await page.click('.card.violated .back');
  assert.match(await now(), /step\(\)/);
  assert.match(await state(), /n.*1/, 'what is stored after it');
  assert.equal(await visible(page, '.card.violated .state tr.changed'), 1, 'the difference is marked');
  await page.click('.card.violated .back');
  assert.match(await now(), /Counter\(\)/, 'the deployment');
  assert.ok(await page.$eval('.card.violated .back', (b) => b.disabled));
  await page.click('.card.violated .next');
  assert.match(await now(), /step\(\)/);
}

async function namesFunctions(page) {
  const rows = await texts(page, '#contracts li');
  assert.ok(rows.includes('check() ✗ 1') || rows.includes('check ✗ 1'), `a mark counts its own kind: ${rows}`);
}

async function marksLines(page) {
  const marked = await page.$$eval('.lines .mark.violated', (marks) => marks.map((m) => m.parentElement.textContent));
  assert.ok(marked.length === 1 && marked[0].includes('assert(n == 0 '), `${marked}`);
  await page.click('.card.violated .dim a');
  assert.match(await page.evaluate(() => location.hash), /^#line-0-/, 'a place leads to its line');
}

async function gas(page) {
  assert.ok((await texts(page, 'table.gas th')).includes('ceiling'));
  const rows = await page.$$('tr.function');
  assert.ok(rows.length >= 3);
  for (const row of rows) await row.click();
  assert.ok(await visible(page, '.bars .class') >= 3, 'classes have bars');
  const widths = await page.$$eval('.bars', (bars) => bars.map((b) => b.querySelector('.fill').style.width));
  assert.ok(widths.every((width) => width === '100%'), `the dearest first: ${widths}`);
  assert.ok(await page.$$eval('svg.growth circle', (dots) => dots.length) >= 2, 'growth has a chart');
  assert.match((await texts(page, 'figcaption')).join(), /values\.length/);
}

async function theme(page, dark) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  assert.equal(before, dark ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)', 'as the system likes it');
  await page.click('#theme');
  assert.notEqual(await ground(), before);
  await page.click('#theme');
}

// Nothing is squeezed into a column of letters.
async function reads(page) {
  const tallest = await page.$$eval('.bars .class', (rows) => Math.max(...rows.map((row) => row.offsetHeight)));
  assert.ok(tallest < 120, `${tallest} pixels for one class`);
}

async function fits(page) {
  const [inner, scroll] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert.ok(scroll <= inner, `${scroll} pixels wide on a screen of ${inner}`);
}

for (const [name, viewport, dark] of [['desk', DESK, false], ['desk-dark', DESK, true], ['phone', PHONE, false]]) {
  const { browser, page, trouble } = await openPage(browserFolder, file, viewport, dark);
  try {
    for (const check of [filters, namesFunctions, stepsThroughTheTrace, marksLines, gas, reads, fits]) await check(page);
    await theme(page, dark);
    assert.deepEqual(trouble, []);
    await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage: true });
  } finally {
    await browser.close();
  }
}
