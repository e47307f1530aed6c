// What the owner of the box does from here. Each asks once more before it is done.

import { get, post, remove } from './api.js';
import { at, el, length, say } from './draw.js';
import * as ownFile from './ownfile.js';
import * as workflows from './workflows.js';

let silence;

/** Says how it went, for a while. */
export function tell(text) {
  at('told').replaceChildren(el('p', {}, text));
  clearTimeout(silence);
  silence = setTimeout(() => at('told').replaceChildren(), 8000);
}

let before = Promise.resolve();

/** One dialog after the other: the end of one must not be taken for the answer of the next. */
function answered(dialog) {
  before = before.then(() => new Promise((resolve) => {
    dialog.returnValue = 'no';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
    dialog.showModal();
  }));
  return before;
}

async function confirmed(title, text, verb) {
  say(at('confirm-title'), title);
  say(at('confirm-text'), text);
  say(at('confirm-yes'), verb);
  return answered(at('confirm'));
}

async function doing(done, work) {
  try {
    await work();
    tell(done);
  } catch (error) {
    tell(error.message);
  }
}

export async function cancel(job) {
  const running = job.state === 'running';
  if (await confirmed(`Cancel job ${job.id}?`,
    running ? 'It runs; what it has made so far is lost.' : 'It leaves the queue.', 'Cancel it')) {
    await doing(`Job ${job.id} is cancelled.`, () => remove(`jobs/${encodeURIComponent(job.id)}`));
  }
}

export async function select(engine, serving) {
  if (await confirmed(`Select ${engine}?`, serving
    ? `Answers under way may finish; then ${serving} is stopped and ${engine} started. Chat waits meanwhile.`
    : `${engine} is started when the card is free.`, `Select ${engine}`)) {
    await doing(`${engine} is selected.`, () => post('select', { engine }));
  }
}

export async function clear(cooldown) {
  if (await confirmed(`Ask ${cooldown} again?`,
    'If its limit is not over, asking may make it longer.', 'Ask it again')) {
    await doing(`${cooldown} may be asked again.`, () => remove(`cooldowns/${encodeURIComponent(cooldown)}`));
  }
}

export async function lease(backend) {
  say(at('lease-title'), backend === 'none' ? 'Lease the card to nobody?' : `Lease the card to ${backend}?`);
  if (await answered(at('lease'))) {
    await doing('The card is leased.', () => post('leases', { backend, for: at('lease-for').value.trim(), yields: at('lease-yields').checked }));
  }
}

export async function release(one) {
  if (await confirmed('End this lease?', `${one.backend === 'none' ? 'The empty card' : one.backend} gives way to the engine.`, 'End it')) {
    await doing('The lease has ended.', () => remove(`leases/${encodeURIComponent(one.id)}`));
  }
}

export async function maintenance(on) {
  if (await confirmed(on ? 'Begin maintenance?' : 'End maintenance?', on
    ? 'swapgate starts and stops nothing until it ends. Jobs wait; an engine that runs goes on serving.'
    : 'swapgate takes over again, from what it finds running.', on ? 'Begin' : 'End it')) {
    await doing(on ? 'Maintenance has begun.' : 'Maintenance is over.', () => post('maintenance', { on }));
  }
}

export async function submit(status) {
  const named = await get('workflows').then((answer) => answer.workflows, () => []);
  const chosen = () => named.find((one) => one.name === at('submit-backend').value);
  at('submit-backend').replaceChildren(...[...named, ...status.media].map((one) => el('option', { value: one.name }, one.name)));
  at('submit-backend').onchange = () => workflows.show(chosen());
  workflows.show(chosen());
  say(at('submit-cost'), status.chat_open
    ? 'Chat waits while the card is with the media server.'
    : 'It joins the queue of the swap under way, or the next one.');
  if (!(await answered(at('submit')))) return;
  try {
    const workflow = chosen();
    const job = await post('jobs', workflow ? workflows.body(workflow) : await ownFile.body(at('submit-backend').value));
    tell(`Job ${job.id} is accepted: number ${job.position}, begins in about ${length(job.starts_in_seconds)}.`);
  } catch (error) {
    tell(error instanceof SyntaxError ? 'That file is no JSON.' : error.message);
  }
}
