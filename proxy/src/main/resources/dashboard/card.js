// The card over time: who had it, and what was done to hand it over.

import { at, brief, day, el, length, mib, say, segment, time, words } from './draw.js';

/** Phases in which the card changes hands; in the others its owner uses it. */
const MOVES = new Set([
  'booting', 'draining', 'stopping_engine', 'freeing', 'starting_media', 'stopping_media', 'restoring', 'degraded',
]);

let classes = new Map();

/** Gives each backend its colour: engines cool, media warm, in the order of the configuration. */
export function colours(status) {
  classes = new Map([
    ...status.engines.map((one, n) => [one.name, `c${n % 4}`]),
    ...status.media.map((one, n) => [one.name, `m${n % 4}`]),
  ]);
  at('legend').replaceChildren(
    ...[...classes].map(([name, kind]) => el('li', { class: `key ${kind}` }, name)),
    el('li', { class: 'key move' }, 'changing hands'),
  );
}

const colour = (owner) => classes.get(owner) ?? '';

const kind = (step) => (MOVES.has(step.phase) ? `move ${colour(step.owner)}` : colour(step.owner));

/** Stretches of time in seconds since the epoch, oldest first, each with an owner or a step. */
export function stretches(swaps, underWay, status, now) {
  const found = [];
  const all = [...swaps].reverse().concat(underWay ?? []);
  let open; // Since when which engine has served.
  for (const swap of all) {
    const since = Date.parse(swap.since) / 1000;
    const serving = open ?? (swap.from_since
      ? { from: Date.parse(swap.from_since) / 1000, owner: swap.from } : undefined);
    if (serving) found.push({ from: serving.from, to: since, owner: serving.owner, kind: colour(serving.owner) });
    for (const step of swap.steps) {
      found.push({
        from: since + step.at, to: since + step.at + step.seconds,
        owner: step.owner, phase: step.phase, kind: kind(step),
      });
    }
    open = swap.until ? { from: Date.parse(swap.until) / 1000, owner: swap.to } : undefined;
  }
  if (underWay) {
    const last = found.at(-1);
    if (last) last.to = now;
  } else if (status.chat_open) {
    found.push({ from: open?.from ?? now - 60, to: now, owner: status.owner, kind: colour(status.owner) });
  }
  return found.filter((one) => one.owner || one.phase);
}

export function timeline(found, range, now) {
  const begin = now - range;
  const share = (moment) => Math.min(1, Math.max(0, (moment - begin) / range));
  const shown = found.filter((one) => one.to > begin);
  at('timeline').replaceChildren(
    ...shown.map((one) =>
      segment(share(one.from), share(one.to), one.kind,
        `${one.owner ?? 'nobody'}${one.phase ? `, ${words(one.phase)}` : ', serving chat'}: ${length(Math.min(one.to - begin, one.to - one.from))}`)),
  );
  at('timeline').setAttribute('aria-label', summary(shown, begin, range));
  at('axis').replaceChildren(
    ...[0, 1, 2, 3].map((n) => el('span', {}, time((begin + (range * n) / 4) * 1000))),
    el('span', {}, 'now'),
  );
}

/** The bar in words, for those who do not see it. */
function summary(shown, begin, range) {
  const total = new Map();
  for (const one of shown) {
    const name = MOVES.has(one.phase) ? 'changing hands' : one.owner ?? 'nobody';
    total.set(name, (total.get(name) ?? 0) + one.to - Math.max(begin, one.from));
  }
  const parts = [...total].map(([name, seconds]) => `${name} ${length(seconds)}`);
  return `The card in the last ${length(range)}: ${parts.join(', ') || 'nothing is known'}`;
}

/** The swap under way: its steps so far, and what is left of it by expectation. */
export function thisSwap(swap, left) {
  at('this-swap').hidden = !swap;
  if (!swap) return;
  const steps = swap.steps;
  const last = steps.at(-1);
  const elapsed = swap.seconds;
  const whole = Math.max(1, elapsed + Math.max(0, left ?? 0));
  at('swap-bar').replaceChildren(
    ...steps.map((step) => {
      const end = step === last ? elapsed : step.at + step.seconds;
      return segment(step.at / whole, end / whole, kind(step), words(step.phase));
    }),
    segment(elapsed / whole, 1, 'expected', 'expected'),
  );
  at('swap-bar').setAttribute('aria-label',
    `This swap: ${length(elapsed)} so far, about ${length(left ?? 0)} left`);
  const lines = steps.map((step) => [
    words(step.phase) + (step.owner && !MOVES.has(step.phase) ? ` ${step.owner}` : ''),
    brief(step === last ? Math.max(0, elapsed - step.at) : step.seconds),
    step === last,
  ]);
  if (left > 0) lines.push(['then until chat', `about ${length(left)}`, false]);
  at('swap-steps').replaceChildren(
    ...lines.map(([name, took, current]) =>
      el('li', { 'aria-current': current ? 'step' : undefined }, `${name} `, el('b', {}, took))),
  );
}

/** What a finished swap gave back: the most the card had free in it. */
const freed = (swap) => Math.max(-1, ...swap.steps.map((step) => step.free_mib ?? -1));

function steps(swap) {
  const whole = Math.max(1, swap.seconds);
  const bar = el('span', { class: 'steps', 'aria-hidden': 'true' },
    ...swap.steps.map((step) =>
      segment(step.at / whole, (step.at + step.seconds) / whole, kind(step), words(step.phase))));
  const list = el('ul', {}, ...swap.steps.map((step) =>
    el('li', {}, `${words(step.phase)}${step.owner ? `, ${step.owner}` : ''}: ${brief(step.seconds)}`
      + (step.free_mib === null ? '' : `, then ${mib(step.free_mib)} free`))));
  return el('details', {}, el('summary', { 'aria-label': `Steps of the swap at ${day(swap.since)}` }, bar), list);
}

const off = (error) =>
  error === null ? '–' : `${length(Math.abs(error))} ${error < 0 ? 'more' : 'less'}`;

/** A row for each swap; which of them were opened by hand stays so. */
export function swapRows(swaps, opened) {
  return swaps.map((swap) => {
    const made = steps(swap);
    made.open = opened.has(swap.since);
    made.addEventListener('toggle', () =>
      made.open ? opened.add(swap.since) : opened.delete(swap.since));
    const most = freed(swap);
    return el('tr', {},
      el('th', { scope: 'row' }, day(swap.since)),
      el('td', {}, made),
      el('td', { class: 'n' }, length(swap.seconds)),
      el('td', { class: 'n' }, off(swap.error_seconds)),
      el('td', { class: 'n' }, most < 0 ? 'not read' : mib(most)),
      el('td', { class: 'n' }, String(swap.jobs.length)),
      el('td', { class: 'n' }, `${swap.chat.refused} / ${swap.chat.held}`));
  });
}

export const SWAP_HEADS = [
  ['Since'], ['Steps'], ['Chat waited', 'n'], ['Than expected', 'n'], ['Most memory free', 'n'], ['Jobs', 'n'], ['Refused / held', 'n'],
];

export function foreseen(estimates) {
  say(at('foreseen'), estimates.swaps === 0
    ? 'No whole swap was seen yet.'
    : `Length foreseen to ${length(estimates.median_off_seconds)} in the middle, ${length(estimates.worst_off_seconds)} at worst, over ${estimates.swaps} whole ${estimates.swaps === 1 ? 'swap' : 'swaps'}.`);
}
