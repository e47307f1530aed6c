// Makes the calls that it is given on standard input, one JSON object {id, library, stream, base}
// a line, as they come, each with its library's own defaults; prints one line {id, text} or
// {id, error} as each one ends.
import { createInterface } from 'node:readline';

const prompt = 'hello';
const messages = [{ role: 'user', content: prompt }];
const model = 'any';

function openai(module) {
  return async ({ base, stream }) => {
    const { default: OpenAI } = await import(module);
    const client = new OpenAI({ baseURL: base, apiKey: 'none' });
    const answer = await client.chat.completions.create({ model, messages, stream });
    return stream
      ? joined(answer, (chunk) => chunk.choices[0]?.delta?.content)
      : answer.choices[0].message.content;
  };
}

/** A picture of the workflow portrait; the text is its size and what it begins with. */
async function openaiImages({ base }) {
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ baseURL: base, apiKey: 'none' });
  const answer = await client.images.generate({
    model: 'portrait',
    prompt: 'a red barn',
    size: '512x512',
  });
  const bytes = Buffer.from(answer.data[0].b64_json, 'base64');
  return `${bytes.length} ${bytes.subarray(1, 4)}`;
}

async function anthropic({ base, stream }) {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({ baseURL: base, apiKey: 'none' });
  const answer = await client.messages.create({ model, messages, stream, max_tokens: 100 });
  return stream ? joined(answer, (event) => event.delta?.text) : answer.content[0].text;
}

async function vercel({ base, stream }) {
  const { generateText, streamText } = await import('ai');
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({ name: 'swapgate', baseURL: base });
  const call = { model: provider(model), prompt };
  if (!stream) {
    return (await generateText(call)).text;
  }
  let failure;
  const answer = streamText({ ...call, onError: ({ error }) => (failure = error) });
  const text = await joined(answer.textStream, (part) => part);
  if (failure) {
    throw failure;
  }
  return text;
}

async function langchain({ base, stream }) {
  const { ChatOpenAI } = await import('@langchain/openai');
  const chat = new ChatOpenAI({ model, apiKey: 'none', configuration: { baseURL: base } });
  return stream
    ? joined(await chat.stream(prompt), (chunk) => chunk.content)
    : (await chat.invoke(prompt)).content;
}

async function ollama({ base, stream }) {
  const { Ollama } = await import('ollama');
  const answer = await new Ollama({ host: base }).chat({ model, messages, stream });
  return stream ? joined(answer, (part) => part.message.content) : answer.message.content;
}

async function joined(parts, text) {
  let all = '';
  for await (const part of parts) {
    all += text(part) ?? '';
  }
  return all;
}

const libraries = {
  openai: openai('openai'),
  'openai-7': openai('openai-7'),
  'openai-6': openai('openai-6'),
  'openai-images': openaiImages,
  anthropic,
  vercel,
  langchain,
  ollama,
};

async function make(call) {
  let end;
  try {
    end = { text: await libraries[call.library](call) };
  } catch (error) {
    end = { error: String(error?.stack ?? error) };
  }
  console.log(JSON.stringify({ id: call.id, ...end }));
}

for await (const line of createInterface({ input: process.stdin })) {
  make(JSON.parse(line));
}
