// Who answers chat while the card is away, and what of it is set aside.

import { at, el, length, table, time } from './draw.js';

const HEADS = [['Name'], ['Where', 'wide'], ['State'], ['Until'], ['Why', 'wide'], ['', 'a']];

function row(name, where, one, clear, inner) {
  const aside = one.cooldown !== undefined;
  const ends = one.left_seconds === undefined ? 'it is cleared' : `${time(one.until)}, in ${length(one.left_seconds)}`;
  return el('tr', {},
    el('th', { scope: 'row', class: inner ? 'inner' : '' }, name),
    el('td', { class: 'wide' }, where || '–'),
    el('td', {}, one.state ?? (aside ? one.kind : 'ready')),
    el('td', {}, aside ? ends : '–'),
    el('td', { class: 'wide' }, aside ? one.why : '–'),
    el('td', { class: 'a' }, aside
      ? el('button', { type: 'button', 'data-key': `clear ${one.cooldown}`, 'aria-label': `Clear ${one.cooldown}`, click: () => clear(one.cooldown) }, 'Clear …')
      : ''));
}

/** Shows the providers with their keys, and the models that are set aside. */
export function providers(all, clear) {
  at('fallback').hidden = all.length === 0;
  table(at('providers'), 'Fallback providers', HEADS, all.flatMap((one) => [
    row(one.name, one.url, one, clear),
    ...one.keys.map((key) => row(`key ${key.name}`, key.key, key, clear, true)),
    ...one.models.map((model) => row(`model ${model.name}`, '', model, clear, true)),
  ]));
}
