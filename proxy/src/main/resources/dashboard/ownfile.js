// A job of one's own: a file as exported, or a picture with its workflow in it, and what goes along.

import { at } from './draw.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const TEXTS = ['tEXt', 'zTXt', 'iTXt'];
const LARGEST_TEXT = 16 * 1024 * 1024;

const VALUE = String.raw`(?:\[[^\]]*\]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,}\]]+)`;
const CHANGED = new RegExp(String.raw`,\s*"is_changed"\s*:\s*${VALUE}|"is_changed"\s*:\s*${VALUE}\s*,?`, 'g');
const STRING_OR_NONE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:NaN|Infinity)/g;

const latin = (bytes) => new TextDecoder('latin1').decode(bytes);

const bytesOf = async (file, from, length) => new Uint8Array(await file.slice(from, from + length).arrayBuffer());

/** Of what begins there and ends with a zero. */
function end(bytes, from) {
  const found = bytes.indexOf(0, from);
  return found < 0 ? bytes.length : found;
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function content(type, bytes, from) {
  if (type === 'tEXt') return latin(bytes.subarray(from));
  if (type === 'zTXt') return latin(await unpacked(bytes.subarray(from + 1)));
  const begin = end(bytes, end(bytes, from + 2) + 1) + 1;
  const text = bytes.subarray(begin);
  return new TextDecoder().decode(bytes[from] === 1 ? await unpacked(text) : text);
}

/**
 * ComfyUI notes where it looked whether a node had changed, with numbers that no JSON has, and would
 * believe such a note. The text is mended and not read: seeds are larger than numbers can be here.
 */
function mended(text) {
  return text.replace(STRING_OR_NONE, (one) => (one.startsWith('"') ? one : 'null')).replace(CHANGED, '');
}

async function fromPicture(file) {
  let editor = false;
  for (let from = SIGNATURE.length; from + 12 <= file.size;) {
    const head = await bytesOf(file, from, 8);
    const length = new DataView(head.buffer).getUint32(0);
    const type = latin(head.subarray(4));
    if (type === 'IEND') break;
    if (TEXTS.includes(type) && length <= LARGEST_TEXT) {
      const bytes = await bytesOf(file, from + 8, length);
      const keyword = latin(bytes.subarray(0, end(bytes, 0)));
      if (keyword === 'prompt') return mended(await content(type, bytes, end(bytes, 0) + 1));
      editor ||= keyword === 'workflow';
    }
    from += length + 12;
  }
  throw new Error(editor
    ? 'That picture holds only the editor\'s form of its workflow; export it with "Export (API)".'
    : 'That picture has no workflow in it: not made by ComfyUI, or its metadata was removed on the way.');
}

async function textOf(file) {
  const head = await bytesOf(file, 0, SIGNATURE.length);
  return SIGNATURE.every((byte, n) => head[n] === byte) ? fromPicture(file) : file.text();
}

function values(text) {
  const set = {};
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const equals = line.indexOf('=');
    if (equals < 1) throw new Error(`"${line.trim()}" is no node.input=value`);
    set[line.slice(0, equals).trim()] = line.slice(equals + 1);
  }
  return set;
}

/** The body of a submission: JSON, or a form where files go along. */
export async function body(backend) {
  const text = await textOf(at('submit-file').files[0]);
  const read = JSON.parse(text);
  const set = values(at('submit-set').value);
  if ('nodes' in read && 'links' in read) {
    throw new Error('That is a saved workspace; export it with "Export (API)".');
  }
  const field = Object.values(read).some((node) => node?.class_type) ? 'workflow' : 'request';
  const job = `{"backend":${JSON.stringify(backend)},"set":${JSON.stringify(set)},"${field}":${text}}`;
  const along = [...at('submit-along').files];
  if (along.length === 0) return job;
  const form = new FormData();
  form.append('job', new Blob([job], { type: 'application/json' }));
  for (const file of along) form.append('file', file, file.name);
  return form;
}
