// Asking swapgate. The token goes into a header and stays in this tab: a cookie would be sent to
// every other port of the same host, the media servers' among them.

import { at, say } from './draw.js';

const ROOT = '/api/v1/';
const KEPT = 'swapgate.token';
const SILENCE = 40_000; // Comments come every 15 s: after this much of nothing the line is dead.
const LONGEST_PAUSE = 15_000;
let asking;

const token = () => sessionStorage.getItem(KEPT) ?? '';

export const hasToken = () => token() !== '';

function headers(more = {}) {
  return hasToken() ? { ...more, Authorization: `Bearer ${token()}` } : more;
}

/** Asks the owner of the box for the token, once at a time. */
function askToken() {
  asking ??= new Promise((resolve) => {
    const dialog = at('token');
    say(at('token-wrong'), hasToken() ? 'That token is not the right one.' : '');
    at('token-value').value = '';
    dialog.addEventListener('close', () => {
      sessionStorage.setItem(KEPT, at('token-value').value.trim());
      at('token-value').value = '';
      asking = undefined;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

async function ask(path, options = {}) {
  const response = await fetch(ROOT + path, {
    ...options,
    headers: headers(options.headers),
    credentials: 'omit',
    redirect: 'error',
  });
  if (response.status === 401) {
    await askToken();
    return ask(path, options);
  }
  return response;
}

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error?.message ?? `swapgate answered ${response.status}`);
  return body;
}

export const get = async (path) => answer(await ask(path));

export const remove = async (path) => answer(await ask(path, { method: 'DELETE' }));

export const post = async (path, body) =>
  answer(await ask(path, {
    method: 'POST',
    headers: body instanceof FormData ? {} : { 'Content-Type': 'application/json' },
    body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
  }));

/** A file of a job; undefined when it is larger than that or not there any more. */
export async function file(path, most = Infinity) {
  const response = await ask(path);
  if (!response.ok || Number(response.headers.get('Content-Length')) > most) {
    await response.body?.cancel();
    return undefined;
  }
  return response.blob();
}

export const filePath = (job, name) =>
  `jobs/${encodeURIComponent(job)}/files/${encodeURIComponent(name)}`;

export const fileAddress = (job, name) => ROOT + filePath(job, name);

/**
 * Listens for as long as the page lives, and comes back when the line is cut.
 * An EventSource could not send the token.
 */
export async function listen(heard, state) {
  let pause = 500;
  for (;;) {
    try {
      await once((name, data) => {
        pause = 500;
        heard(name, data);
      }, state);
    } catch {
      // Told below: whatever ended it, the next try begins anew.
    }
    state('lost');
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

async function once(heard, state) {
  const line = new AbortController();
  let watch = setTimeout(() => line.abort(), SILENCE);
  try {
    const response = await ask('events', { signal: line.signal });
    if (!response.ok) throw new Error(`swapgate answered ${response.status}`);
    state('live');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(() => line.abort(), SILENCE);
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop();
      blocks.forEach((block) => tell(block, heard));
    }
  } finally {
    clearTimeout(watch);
    line.abort();
  }
}

function tell(block, heard) {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data += line.slice(5).replace(/^ /, '');
  }
  if (data !== '') heard(name, JSON.parse(data));
}
