// Gas: a table for each contract; a row opens to the cost of each class of runs, and to how the cost grows.
const SVG = byId('drawing').namespaceURI;
const number = (n) => n.toLocaleString('en-US');

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function gasTables() {
  if (report.gas_missing) byId('gas').append(el('h2', {}, 'Gas'), el('p', { class: 'dim' }, report.gas_missing));
  if (!report.gas) return;
  byId('gas').append(el('h2', {}, 'Gas'), ...report.gas.contracts.map(gasOfContract));
}

function gasOfContract(contract) {
  const optimizer = contract.optimizer_runs === null ? 'not optimized' : `optimizer ${contract.optimizer_runs} runs`;
  const { deployment } = contract;
  const cost = deployment.transaction === undefined ? deployment.unknown : `${number(deployment.transaction)} gas`;
  return el('div', { class: 'gas-contract' },
    el('h3', {}, contract.contract),
    el('p', { class: 'dim' }, `${contract.compiler}, ${optimizer}${contract.via_ir ? ', via Yul' : ''}, ${contract.fork}; `
      + `deployment of ${number(deployment.code_bytes)} bytes: ${cost}`),
    el('div', { class: 'wide' }, el('table', { class: 'gas' },
      el('tr', {}, ['function', 'worst seen', 'ceiling', 'ratio', 'classes'].map((title) => el('th', {}, title))),
      contract.functions.flatMap(gasOfFunction))));
}

function gasOfFunction(f) {
  const detail = el('tr', { class: 'detail', hidden: true }, el('td', { colspan: 5 }));
  const unfold = () => {
    if (!detail.firstChild.hasChildNodes()) detail.firstChild.append(...gasDetails(f));
    detail.hidden = !detail.hidden;
    row.setAttribute('aria-expanded', String(!detail.hidden));
  };
  const key = (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); unfold(); } };
  const row = el('tr', { class: 'function', tabindex: 0, 'aria-expanded': 'false', click: unfold, keydown: key },
    el('td', {}, el('code', {}, f.signature)),
    el('td', { class: 'number' }, f.worst_seen ? number(f.worst_seen.execution) : '–'),
    el('td', { class: 'number' }, ceilingText(f.ceiling)),
    el('td', { class: 'number' }, f.ratio === null ? '–' : f.ratio.toFixed(2)),
    el('td', { class: 'number' }, `${f.classes.length}${f.classes_complete ? '' : '+'}`));
  return [row, detail];
}

function ceilingText(ceiling) {
  if (!ceiling.bounded) return el('span', { class: 'violated' }, 'unbounded');
  return ceiling.execution === null ? el('code', {}, ceiling.execution_formula) : number(ceiling.execution);
}

function gasDetails(f) {
  return [
    ...f.budgets.map((b) => el('p', {}, el('span', { class: `badge ${b.verdict === 'met' ? 'proved' : 'violated'}` },
      `budget ${b.verdict}`), ' ', el('code', {}, b.budget), ` ${b.reason || ''}`)),
    ...f.findings.map((finding) => el('p', {}, el('span', { class: 'badge unknown' }, 'warning'), ` ${finding.message} `,
      finding.location && placeLink(finding.location))),
    f.classes.length > 0 && costsOfClasses(f),
    ...(f.growth || []).map(growthChart),
    f.location && el('p', {}, placeLink(f.location)),
  ].filter(Boolean);
}

// One bar for each class, the dearest first.
function costsOfClasses(f) {
  const classes = [...f.classes].sort((a, b) => b.execution - a.execution);
  const most = Math.max(1, ...classes.map((c) => c.execution));
  return el('div', { class: 'bars', role: 'img', 'aria-label': `cost of ${plural(classes.length, 'class')} of runs of ${f.signature}` },
    classes.map((c) => el('div', { class: 'class' },
      el('span', { class: 'number' }, number(c.execution)),
      el('span', { class: 'track' }, el('span', { class: c.returns ? 'fill' : 'fill reverts', style: `width:${100 * c.execution / most}%` })),
      el('span', {}, c.returns ? '' : 'reverts ', el('code', {}, c.conditions.filter((text) => text !== 'true').join(' && ') || 'any other run')))));
}

// What was executed at several sizes, under the ceiling.
function growthChart(growth) {
  const [width, height, left, bottom] = [420, 180, 70, 28];
  const sizes = growth.points.map((p) => p.size);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const most = Math.max(1, ...growth.points.map((p) => Math.max(p.execution, p.ceiling)));
  const x = (size) => left + (high === low ? 0 : (width - left - 10) * (size - low) / (high - low));
  const y = (gas) => (height - bottom) * (1 - gas / most) + 8;
  const sorted = [...growth.points].sort((a, b) => a.size - b.size);
  const line = (of, kind) => svg('polyline', { class: kind, points: sorted.map((p) => `${x(p.size)},${y(of(p))}`).join(' ') });
  const label = (text, at, down, anchor) => svg('text', { x: at, y: down, 'text-anchor': anchor }, text);
  return el('figure', {},
    svg('svg', { viewBox: `0 0 ${width} ${height + 8}`, class: 'growth', role: 'img' },
      svg('title', {}, `gas against ${growth.parameter}`),
      line((p) => p.ceiling, 'ceiling'), line((p) => p.execution, 'seen'),
      ...sorted.map((p) => svg('circle', { cx: x(p.size), cy: y(p.execution), r: 3 },
        svg('title', {}, `${growth.parameter} = ${p.size}: ${number(p.execution)} of at most ${number(p.ceiling)}`))),
      label(number(most), left - 6, 14, 'end'), label('0', left - 6, height - bottom + 8, 'end'),
      label(number(low), left, height - 4, 'start'), label(number(high), width - 10, height - 4, 'end')),
    el('figcaption', { class: 'dim' }, `gas against ${growth.parameter}: dots were executed, the dashed line is the ceiling; `
      + (growth.confirmed ? 'slope and offset confirmed' : 'not confirmed')));
}

gasTables();
