// Puts what swapgate tells on the page, and keeps it there.

import * as actions from './actions.js';
import { get, listen } from './api.js';
import { SWAP_HEADS, colours, foreseen, stretches, swapRows, thisSwap, timeline } from './card.js';
import { at, brief, el, length, mib, replace, say, table, time, words } from './draw.js';
import { providers } from './fallback.js';
import { ended, queue } from './jobs.js';

const LINES = 200;
const BETWEEN_FETCHES = 1500;

const opened = new Set();
let status;
let heardAt = 0;
let history = { swaps: [], swap: null, estimates: { swaps: 0 }, learned: [], history: [] };
let jobs = [];
let leases = [];
let fetching = false;
let fetchAgain = false;

/** Seconds that are left by expectation, counted down from when it was told. */
function left() {
  const told = status?.swap?.left_seconds;
  return told === undefined ? undefined : told - (performance.now() - heardAt) / 1000;
}

function headline() {
  if (status.chat_open) return 'Chat is open';
  if (status.phase === 'degraded') return 'Chat cannot be served';
  if (status.phase === 'maintenance') return 'Maintenance';
  return 'Chat waits';
}

function until() {
  const seconds = left();
  if (status.chat_open) return `${status.owner ?? 'An engine'} answers.`;
  if (status.phase === 'degraded') return 'swapgate goes on trying.';
  if (seconds === undefined) return 'Nobody can say yet until when.';
  if (seconds <= 0) return `Longer than expected, by ${length(-seconds)} so far.`;
  return `Until about ${time(Date.now() + seconds * 1000)}, in ${length(seconds)}.`;
}

function facts() {
  const card = status.card;
  const memory = card.free_mib === null
    ? ['not read']
    : [`${mib(card.free_mib)} free`, `of ${mib(card.total_mib)}, as last read`];
  return [
    ['Phase', words(status.phase)],
    ['Owner of the card', status.owner ?? 'nobody'],
    ['Selected engine', status.selected],
    ['Requests inside', String(status.inside)],
    ['Requests held', String(status.held)],
    ['Jobs waiting', String(status.jobs.queued)],
    [card.name || 'Card memory', ...memory],
    ['Host memory', status.host.memory_free_mib === null ? 'unknown' : `${mib(status.host.memory_free_mib)} free`],
  ];
}

/** What changes by the second. */
function tick() {
  if (!status) return;
  say(at('until'), until());
  const now = Date.now() / 1000;
  if (history.swap) history.swap.seconds = now - Date.parse(history.swap.since) / 1000;
  const range = Number(document.querySelector('input[name=range]:checked').value);
  timeline(stretches(history.swaps, history.swap, status, now), range, now);
  thisSwap(status.chat_open ? null : history.swap, left());
}

function drawStatus() {
  document.title = `${headline()} · swapgate`;
  document.body.classList.toggle('degraded', status.phase === 'degraded');
  say(at('version'), status.version);
  say(at('headline'), headline());
  say(at('reason'), status.reason === 'chat is open' ? '' : status.reason);
  at('facts').replaceChildren(...facts().map(([name, value, more]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, value, more ? el('small', {}, ` ${more}`) : ''))));
  say(at('maintenance'), status.phase === 'maintenance' ? 'End maintenance …' : 'Maintenance …');
  colours(status);
  drawBackends();
  providers(status.fallback, (cooldown) => actions.clear(cooldown).then(lookElsewhere));
  drawJobs();
  tick();
}

function drawBackends() {
  const serving = status.chat_open ? status.owner : undefined;
  const row = (one, kind, button) => el('tr', {},
    el('th', { scope: 'row' }, one.name),
    el('td', { class: 'wide' }, kind),
    el('td', { class: 'wide' }, one.container),
    el('td', {}, words(one.state)),
    el('td', { class: 'n' }, one.last_ready_seconds === null ? '–' : length(one.last_ready_seconds)),
    el('td', { class: 'a' }, button));
  const selectable = (one) => one.name === status.selected
    ? el('span', { class: 'quiet' }, 'selected')
    : el('button', { type: 'button', 'data-key': `select ${one.name}`, 'aria-label': `Select ${one.name}`, click: () => actions.select(one.name, serving) }, 'Select …');
  const leasable = (one) => one.leasable
    ? el('button', { type: 'button', 'data-key': `lease ${one.name}`, 'aria-label': `Lease the card to ${one.name}`, click: () => actions.lease(one.name) }, 'Lease …')
    : '';
  table(at('backends'), 'Backends', [['Name'], ['Kind', 'wide'], ['Container', 'wide'], ['State'], ['Start to ready', 'n'], ['', 'a']], [
    ...status.engines.map((one) => row(one, 'engine', selectable(one))),
    ...status.media.map((one) => row(one, 'media', leasable(one))),
  ]);
}

function drawJobs() {
  queue(jobs, status?.work, actions.cancel);
}

function drawFetched() {
  table(at('swaps'), 'The last swaps, newest first', SWAP_HEADS, swapRows(history.swaps, opened));
  at('swaps').hidden = history.swaps.length === 0;
  foreseen(history.estimates);
  table(at('learned'), 'Learned times', [['Backend'], ['Step'], ['Workflow'], ['Median', 'n'], ['Samples', 'n']],
    history.learned.map((one) => el('tr', {},
      el('th', { scope: 'row' }, one.backend), el('td', {}, words(one.step)), el('td', { class: 'id' }, one.shape || '–'),
      el('td', { class: 'n' }, brief(one.seconds)), el('td', { class: 'n' }, String(one.samples)))));
  replace(at('leases'), ...leases.map((one) => el('li', {},
    el('span', { class: 'id' }, one.id),
    el('span', {}, one.backend === 'none' ? 'nobody' : one.backend),
    el('span', { class: 'quiet' }, `${one.by_hand ? 'by hand, ' : ''}until ${time(one.until)}${one.yields ? ' or a job waits' : ''}${one.heartbeat_seconds === null ? '' : ', while its owner is there'}`),
    el('button', { type: 'button', 'data-key': one.id, click: () => actions.release(one) }, 'End …'))));
  ended(jobs);
  drawJobs();
  tick();
}

function logLine(one) {
  const level = one.level === 'error' || one.level === 'warn' ? one.level : '';
  const about = [one.backend, one.job && `job ${one.job}`].filter(Boolean).join(', ');
  return el('li', { class: level },
    el('time', { datetime: one.at }, time(one.at, true)),
    el('span', { class: 'what' }, one.what),
    el('span', { class: 'text' }, (one.text ?? one.detail) + (about ? ` · ${about}` : '')));
}

/** Newest at the top, where it is seen without scrolling. */
function log(one) {
  at('log').prepend(logLine(one));
  while (at('log').children.length > LINES) at('log').lastElementChild.remove();
}

/** Everything that does not come by itself; once at a time, and once more if something came between. */
async function fetchAll(withLog = false) {
  if (fetching) {
    fetchAgain = true;
    return;
  }
  fetching = true;
  try {
    const [past, all, leased] = await Promise.all([get(`history?limit=${LINES}&swaps=40`), get('jobs?limit=60'), get('leases')]);
    history = past;
    jobs = all.jobs;
    leases = leased.leases;
    if (withLog) at('log').replaceChildren(...past.history.map(logLine));
    if (status) drawFetched();
  } catch (error) {
    actions.tell(error.message);
  }
  setTimeout(() => {
    fetching = false;
    if (fetchAgain) {
      fetchAgain = false;
      fetchAll();
    }
  }, BETWEEN_FETCHES);
}

function heard(name, data) {
  if (name === 'status') {
    const before = status;
    status = data;
    heardAt = performance.now();
    drawStatus();
    if (!before || before.phase !== data.phase || before.jobs.queued !== data.jobs.queued) fetchAll();
  } else if (name === 'event') {
    if (data.level === 'debug') return;
    log(data);
    fetchAll();
  }
}

/** Cooldowns come and go without an event of the gate's. */
async function lookElsewhere() {
  if (!status?.fallback.length) return;
  try {
    heard('status', await get('status'));
  } catch (error) {
    actions.tell(error.message);
  }
}

function line(state) {
  const link = at('link');
  if (state === 'live' && link.className !== 'live') fetchAll(true);
  link.className = state;
  say(link, state === 'live' ? 'live' : 'connection lost, trying again');
}

at('maintenance').addEventListener('click', () => actions.maintenance(status?.phase !== 'maintenance'));
at('submit-open').addEventListener('click', () => status && actions.submit(status));
at('range').addEventListener('change', tick);
setInterval(tick, 1000);
setInterval(() => at('link').className === 'live' && lookElsewhere(), 10000);
listen(heard, line);
