// The fields of a named workflow, and what was put into them.

import { at, el } from './draw.js';

const KINDS = { number: { type: 'number', step: 'any' }, flag: { type: 'checkbox' }, file: { type: 'file' } };

function field(input) {
  const filled = input.kind === 'file' ? {} : input.kind === 'flag'
    ? { checked: input.value === true } : { value: String(input.value) };
  const attributes = { 'data-input': input.name, autocomplete: 'off', ...filled };
  if (input.kind === 'text') {
    const area = el('textarea', { 'data-input': input.name, rows: '2', placeholder: String(input.value) });
    return el('p', {}, el('label', {}, `${input.name} `, area));
  }
  return el('p', {}, el('label', {}, `${input.name} `, el('input', { ...KINDS[input.kind], ...attributes })));
}

/** Shows the fields that fit what is chosen: those of a workflow, or a file and values. */
export function show(workflow) {
  at('submit-inputs').replaceChildren(...(workflow ? workflow.inputs.map(field) : []));
  at('submit-own').hidden = Boolean(workflow);
  at('submit-file').required = !workflow;
}

/** The body of a submission: JSON, or a form where files go along. */
export function body(workflow) {
  const set = {};
  const files = [];
  for (const input of workflow.inputs) {
    const given = at('submit-inputs').querySelector(`[data-input="${input.name}"]`);
    if (input.kind === 'file') {
      const [file] = given.files;
      if (file) {
        const name = `${input.name}-${file.name}`;
        files.push([name, file]);
        set[input.name] = name;
      }
    } else if (input.kind === 'flag') {
      set[input.name] = String(given.checked);
    } else if (given.value.trim() !== '') {
      set[input.name] = given.value;
    }
  }
  const job = { workflow_name: workflow.name, set };
  if (files.length === 0) return job;
  const form = new FormData();
  form.append('job', new Blob([JSON.stringify(job)], { type: 'application/json' }));
  for (const [name, file] of files) form.append('file', file, name);
  return form;
}
