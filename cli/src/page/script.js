'use strict';
const report = JSON.parse(document.getElementById('data').textContent);
const VERDICTS = ['violated', 'unknown', 'unsupported', 'accepted', 'proved'];
const MARKS = { proved: '✓', violated: '✗', unknown: '?', unsupported: '–', accepted: '~' };
const results = report.results || { checks: [], functions: [], diagnostics: [] };
// What somebody lives with counts as that, whatever was found.
const checks = results.checks.map((check, index) => (
  { ...check, index, found: check.verdict, verdict: check.accepted ? 'accepted' : check.verdict }));
const shown = new Set(VERDICTS);

// An element with attributes and children; text is never read as HTML.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}
const byId = (id) => document.getElementById(id);
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const count = (list, verdict) => list.filter((check) => check.verdict === verdict).length;
const worst = (list) => VERDICTS.find((verdict) => count(list, verdict) > 0) || 'proved';
const name = (row) => row.signature || row.function;
const lineId = (file, line) => `line-${Math.max(0, report.sources.findIndex((s) => s.name === file))}-${line}`;
const placeLink = (place) =>
  el('a', { href: `#${lineId(place.file, place.line)}`, click: () => open(place) }, `${place.file}:${place.line}`);
// 0x0000…0a11ce and other long numbers as `hornet verify` prints them, as long as that tells them apart.
const shortForms = shortened(JSON.stringify([report.results, report.gas]).match(/\b0x[0-9a-fA-F]{25,}/g) || []);
const short = (text) => text.replace(/\b0x[0-9a-fA-F]{25,}/g, (literal) => shortForms.get(literal) || literal);

function shortened(literals) {
  const forms = new Map();
  const users = new Map();
  for (const literal of new Set(literals)) {
    const digits = literal.slice(2);
    const significant = digits.replace(/^0+/, '');
    const even = Math.max(2, significant.length + significant.length % 2);
    const form = significant.length <= 8 ? `0x${digits.slice(-even)}` : `0x${digits.slice(0, 4)}…${digits.slice(-4)}`;
    forms.set(literal, form);
    users.set(form, (users.get(form) || 0) + 1);
  }
  return new Map([...forms].filter(([, form]) => users.get(form) === 1));
}

// Opens the file of a place, so that its line can be scrolled to.
function open(place) {
  const line = byId(lineId(place.file, place.line));
  if (line) line.closest('details').open = true;
}

function filters() {
  byId('filters').replaceChildren(...VERDICTS.filter((v) => count(checks, v) > 0).map((verdict) =>
    el('button', {
      class: verdict, 'data-verdict': verdict, 'aria-pressed': String(shown.has(verdict)),
      click: () => { shown.has(verdict) ? shown.delete(verdict) : shown.add(verdict); filters(); findings(); contracts(); },
    }, `${MARKS[verdict]} ${count(checks, verdict)} ${verdict}`)));
}

function contracts() {
  const names = [...new Set(results.functions.map((f) => f.contract))];
  byId('contracts').replaceChildren(...names.map((contract) => el('div', {},
    el('h3', {}, contract),
    el('ul', {}, results.functions.filter((f) => f.contract === contract).map((f) => {
      const own = checks.filter((c) => c.contract === contract && name(c) === name(f));
      const visible = own.filter((c) => shown.has(c.verdict));
      if (own.length > 0 && visible.length === 0) return undefined;
      return el('li', {},
        el('a', { href: `#${lineId(f.location.file, f.location.line)}`, click: () => open(f.location) }, el('code', {}, name(f))),
        el('span', { title: plural(own.length, 'check') }, VERDICTS.filter((v) => count(own, v) > 0).map((v) =>
          el('span', { class: `badge ${v}` }, ` ${MARKS[v]} ${count(own, v)}`))));
    })))));
}

function findings() {
  const visible = checks.filter((check) => shown.has(check.verdict));
  visible.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || a.index - b.index);
  byId('findings').replaceChildren(...visible.map(card));
  if (visible.length === 0) byId('findings').append(el('p', { class: 'dim' }, 'Nothing to show.'));
}

function card(check) {
  const title = check.verdict === 'proved' ? check.kind : check.message;
  const evidence = check.confirmed ? ' · confirmed on the EVM' : '';
  return el('article', { class: `card ${check.verdict}`, id: `check-${check.index}`, 'data-verdict': check.verdict },
    el('h3', {}, el('span', { class: `badge ${check.verdict}` }, check.verdict), ` ${title}`),
    el('div', { class: 'dim' }, el('code', {}, `${check.contract}.${name(check)}`), ' · ', placeLink(check.location),
      ` · ${check.engine}${evidence}`),
    check.accepted && el('div', {}, `${check.found}, accepted: ${check.accepted}`),
    check.annotation && el('pre', {}, check.annotation.text),
    check.reason && el('div', {}, check.reason),
    check.invariants && el('div', {}, 'because ', check.invariants.map((i) => el('pre', {}, inWords(i)))),
    check.counterexample && example(check.counterexample),
    check.trace && trace(check));
}

function example(values) {
  const rows = [['called with', values.parameters], ['before', values.state_before], ['locals', values.locals],
    ['after', values.state_after], ['environment', values.environment]];
  return el('table', {}, rows.flatMap(([when, list]) => (list || []).map((binding) =>
    el('tr', {}, el('td', { class: 'dim' }, when), el('td', {}, el('code', {}, short(binding.name))),
      el('td', {}, el('code', {}, short(binding.value)))))));
}

// The calls of a run in the order in which they happen, calls back after the call that they come from, each with what is
// different when the next one begins.
function flatten(steps, depth) {
  return steps.flatMap((step, i) => {
    const inner = flatten((step.outside || []).flatMap((outside) => outside.reenters || []), depth + 1);
    const own = { step, depth, state: depth > 0 || inner.length > 0 ? step.meanwhile : step.state };
    const after = step.afterwards ? [{ step, depth, state: step.afterwards, after: true }] : [];
    return [own, ...inner, ...after].map((row) => ({ ...row, transaction: i + 1 }));
  });
}

// Who calls, and what the code asks of the block, as `hornet verify` prints it.
function surroundings(step) {
  const caller = step.function ? [`from ${short(step.caller)}${step.caller_is_contract ? ' (contract)' : ''}`] : [];
  const origin = step.origin ? [`tx.origin ${short(step.origin)}`] : [];
  const block = (step.environment || []).map((binding) => `${binding.name} ${short(binding.value)}`);
  return [...caller, ...origin, ...block].join(', ');
}

function trace(check) {
  const steps = flatten(check.trace, 0);
  const list = el('ol', { class: 'steps' });
  const state = el('table', { class: 'state' });
  const position = el('span', { class: 'dim' });
  const back = el('button', { class: 'back', click: () => show(at - 1) }, '← back');
  const next = el('button', { class: 'next', click: () => show(at + 1) }, 'next →');
  let at = steps.length - 1;
  function show(to) {
    at = Math.min(Math.max(to, 0), steps.length - 1);
    back.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    const within = steps[at].depth > 0 ? ', a call from inside' : '';
    position.textContent = `transaction ${steps[at].transaction} of ${check.trace.length}${within}`;
    list.replaceChildren(...steps.map(({ step, depth, after }, i) => el('li', {
      class: i === at ? 'now' : i > at ? 'later' : '', style: `margin-left:${depth * 1.5}rem`, click: () => show(i),
    }, after ? 'afterwards' : el('code', {}, `${depth > 0 ? '└─ reenters ' : ''}${short(step.call)}`),
    !after && step.value !== '0' && el('code', {}, ` {value: ${step.value} wei}`),
    !after && el('span', { class: 'dim', title: step.caller }, ` ${surroundings(step)}`))));
    const values = new Map();
    const changed = new Set();
    steps.slice(0, at + 1).forEach(({ state: different }, i) => (different || []).forEach((binding) => {
      values.set(binding.name, binding.value);
      if (i === at) changed.add(binding.name);
    }));
    state.replaceChildren(...[...values].map(([variable, value]) => el('tr', { class: changed.has(variable) ? 'changed' : '' },
      el('td', {}, el('code', {}, short(variable))), el('td', {}, el('code', {}, short(value))))));
  }
  show(at);
  return el('div', { class: 'trace' }, list, el('div', { class: 'bar' }, back, next, position), state);
}

const annotations = ['after-transactions', 'loop'];
const inWords = (invariant) => (invariant.text ? short(invariant.text) : 'something that Solidity has no words for');

function invariants() {
  const found = new Map();
  for (const check of checks) for (const invariant of check.invariants || []) {
    const key = `${check.contract}\n${invariant.when}\n${invariant.text}`;
    if (!found.has(key)) found.set(key, { ...invariant, contract: check.contract, checks: [] });
    found.get(key).checks.push(check);
  }
  byId('invariants').replaceChildren(...(found.size === 0 ? [el('p', { class: 'dim' }, 'No proof needed one.')] :
    [...found.values()].map((invariant) => el('div', {},
      el('pre', {}, annotations.includes(invariant.when) && invariant.text ? `/// @notice invariant ${inWords(invariant)}` : inWords(invariant)),
      el('div', { class: 'dim' }, `${invariant.contract}, ${invariant.when.replace('-', ' ')}; `,
        plural(invariant.checks.length, 'check'), ' rest on it')))));
}

function uncovered() {
  const open = checks.filter((check) => check.found === 'unknown' || check.found === 'unsupported');
  const gaps = results.functions.flatMap((f) => (f.unsupported || []).map((gap) => ({ ...gap, of: f })));
  byId('uncovered').replaceChildren(el('ul', {},
    open.map((check) => el('li', {}, el('a', { href: `#check-${check.index}` }, `${check.kind} in ${check.contract}.${name(check)}`),
      `: ${check.reason || ''}`)),
    gaps.map((gap) => el('li', {}, `${gap.message} in ${gap.of.contract}.${name(gap.of)}, `, placeLink(gap.location))),
    results.diagnostics.map((d) => el('li', {}, `${d.severity}: ${d.message} `, d.location && placeLink(d.location)))));
  if (open.length + gaps.length + results.diagnostics.length === 0) {
    byId('uncovered').replaceChildren(el('p', { class: 'dim' }, 'Every check was decided.'));
  }
}

function sources() {
  byId('sources').replaceChildren(...report.sources.map((source) => {
    const here = checks.filter((check) => check.location.file === source.name);
    const lines = source.text.split('\n').map((text, i) => {
      const own = here.filter((check) => check.location.line === i + 1);
      const verdict = own.length > 0 && worst(own);
      return el('div', { id: lineId(source.name, i + 1) }, el('span', {}, String(i + 1)),
        verdict ? el('a', { class: `mark ${verdict}`, href: `#check-${own.find((c) => c.verdict === verdict).index}`,
          title: own.map((c) => `${c.kind}: ${c.verdict}`).join('\n') }, MARKS[verdict]) : el('span', {}),
        el('span', {}, text));
    });
    return el('details', { class: 'file', open: here.some((c) => c.verdict === 'violated') },
      el('summary', {}, source.name, ' ', VERDICTS.filter((v) => count(here, v) > 0).map((v) =>
        el('span', { class: `badge ${v}` }, `${MARKS[v]}${count(here, v)} `))),
      el('div', { class: 'lines code' }, lines));
  }));
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

theme(matchMedia('(prefers-color-scheme: dark)').matches);
byId('theme').addEventListener('click', () => theme(document.documentElement.dataset.theme !== 'dark'));
byId('headline').textContent = `· ${report.headline}`;
byId('verification').hidden = !report.results;
byId('settings').replaceChildren(...report.settings.flatMap(([key, value]) => [el('dt', { class: 'dim' }, key), el('dd', {}, el('code', {}, value))]));
filters(); contracts(); findings(); invariants(); uncovered(); sources();
