// What runs, what waits, and what came of the last ones.

import { fileAddress, file, filePath, hasToken } from './api.js';
import { at, day, el, replace, time, words } from './draw.js';

/** Pictures that browsers show without running anything in them: no SVG. */
const PICTURES = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' };
const LARGEST_PICTURE = 20 * 1024 * 1024;
const PICTURES_SHOWN = 8;

const pictures = new Map(); // From a file's path to the promise of its object address, oldest first.
const shown = new Map(); // The same, once it is there.

export function queue(jobs, work, cancel) {
  const open = jobs.filter((job) => job.state === 'running' || job.state === 'queued')
    .sort((one, other) =>
      (other.state === 'running') - (one.state === 'running') || one.created.localeCompare(other.created));
  at('no-jobs').hidden = open.length > 0;
  replace(at('queue'), ...open.map((job) =>
    el('li', {},
      el('span', { class: 'id' }, job.id),
      el('span', {}, job.backend),
      job.state === 'running' ? progress(job, work) : el('span', { class: 'quiet' }, `since ${day(job.created)}`),
      el('button', { type: 'button', 'data-key': job.id, click: () => cancel(job), 'aria-label': `Cancel job ${job.id}` }, 'Cancel …'),
      job.error ? el('span', { class: 'why quiet' }, job.error) : '')));
}

function progress(job, work) {
  const known = work && work.job === job.id && work.progress !== null;
  const share = known ? work.progress : undefined;
  return el('span', { class: 'meter' },
    el('progress', { max: 1, value: share, 'aria-label': `Progress of job ${job.id}` }),
    el('span', {}, known ? `${Math.round(share * 100)} %` : since(job.started)));
}

/** ComfyUI, among others, tells no progress: then since when it runs is all there is to say. */
function since(started) {
  return started ? `since ${time(started)}` : 'begins';
}

export function ended(jobs) {
  const last = jobs.filter((job) => job.ended).slice(0, PICTURES_SHOWN);
  at('ended-title').hidden = last.length === 0;
  replace(at('ended'), ...last.map((job) =>
    el('li', {},
      el('span', { class: 'id' }, job.id),
      el('span', {}, job.backend),
      el('span', { class: 'files' }, ...job.files.map((name) => result(job.id, name))),
      el('span', { class: `state ${job.state}` }, `${words(job.state)} ${day(job.ended)}`),
      job.state === 'failed' && job.error ? el('span', { class: 'why bad' }, job.error) : '')));
}

function result(job, name) {
  const link = el('a', { href: fileAddress(job, name), download: name, 'data-key': `${job}/${name}` });
  link.addEventListener('click', (event) => {
    if (hasToken()) { // A link cannot send it.
      event.preventDefault();
      download(job, name);
    }
  });
  const type = PICTURES[name.split('.').pop().toLowerCase()];
  if (type) {
    const picture = el('img', { alt: name, src: shown.get(filePath(job, name)) });
    if (!picture.src) show(picture, job, name, type);
    link.append(picture);
  } else {
    link.append(name);
  }
  return link;
}

async function show(picture, job, name, type) {
  const path = filePath(job, name);
  if (!pictures.has(path)) {
    pictures.set(path, file(path, LARGEST_PICTURE)
      .then((blob) => blob && URL.createObjectURL(new Blob([blob], { type })))
      .catch(() => undefined));
    forgetOldest();
  }
  const address = await pictures.get(path);
  if (!address) {
    picture.replaceWith(name);
    return;
  }
  shown.set(path, address);
  picture.src = address;
}

function forgetOldest() {
  for (const [path, address] of pictures) {
    if (pictures.size <= 4 * PICTURES_SHOWN) return;
    pictures.delete(path);
    shown.delete(path);
    address.then((made) => made && URL.revokeObjectURL(made));
  }
}

async function download(job, name) {
  const blob = await file(filePath(job, name));
  if (!blob) return;
  const address = URL.createObjectURL(blob);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
