// Elements, times and numbers. Whatever comes from outside becomes text, never markup.

/** An element with attributes, and children that are elements or text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== ''));
  return made;
}

export const at = (id) => document.getElementById(id);

/** Only what has changed touches the page, so that a screen reader is not told twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function length(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

/** Short lengths to a tenth: most steps take a few seconds. */
export function brief(seconds) {
  return seconds < 10 ? `${Number(seconds).toFixed(1)} s` : length(seconds);
}

const clock = { hour: '2-digit', minute: '2-digit', hour12: false };

export function time(moment, withSeconds = false) {
  const date = new Date(moment);
  return Number.isNaN(date.getTime())
    ? '–'
    : date.toLocaleTimeString([], withSeconds ? { ...clock, second: '2-digit' } : clock);
}

export function day(moment) {
  const date = new Date(moment);
  const today = date.toDateString() === new Date().toDateString();
  return today ? time(moment) : `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time(moment)}`;
}

export function mib(count) {
  if (count === null || count === undefined) return 'unknown';
  return count < 1024 ? `${count} MiB` : `${(count / 1024).toFixed(1)} GiB`;
}

/** stopping_engine → stopping engine. */
export const words = (name) => String(name).replaceAll('_', ' ');

/** Places a segment: shares of its bar, as numbers from 0 to 1. */
export function segment(from, to, classes, title) {
  const made = el('span', { class: `seg ${classes}`, title });
  made.style.left = `${from * 100}%`;
  made.style.width = `${Math.max(0, to - from) * 100}%`;
  return made;
}

/**
 * Replaces what is inside, but only when it looks different: a button that is replaced between
 * press and release is not clicked. Who was on a button stays on it.
 */
export function replace(parent, ...items) {
  const old = parent.children;
  if (old.length === items.length && items.every((item, n) => item.isEqualNode(old[n]))) return;
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...items);
  if (focused) parent.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

export function table(element, caption, heads, rows) {
  replace(
    element,
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heads.map(([text, kind]) => el('th', { scope: 'col', class: kind }, text)))),
    el('tbody', {}, ...rows),
  );
}
