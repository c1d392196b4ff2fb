import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { sampleSchema, samplePng } from '../features.ts'
import { objectsIn } from '../upstreams/json-path.ts'
import { type Client, type Heard, type HeardError, type HeardUsage, nothingHeard, type RawAnswer } from './client.ts'

export const chatClient: Client = {
  dialect: 'chat',
  path: '/v1/chat/completions',
  ask: (feature, tools) => {
    const image = { type: 'image_url', image_url: { url: `data:${samplePng.mediaType};base64,${samplePng.base64}` } }
    const content = feature === 'image input' ? [{ type: 'text', text: 'What is it?' }, image] : 'Hello there'
    return {
      messages: [{ role: 'user', content }],
      max_tokens: 4_000,
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({
              type: 'function',
              function: { name, description, parameters: schema },
            })),
          }),
      ...(feature === 'reasoning with signature' ? { reasoning: { max_tokens: 1_024 } } : {}),
      ...(feature === 'structured output'
        ? {
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'place', schema: sampleSchema, strict: true },
            },
          }
        : {}),
    }
  },
  hear: (answer) => (answer.isStream ? hearStream(answer.text) : hearDocument(answer)),
  answerTools: (asked, { history, calls }, results) => ({
    ...asked,
    messages: [
      ...objectsIn(asked.messages),
      ...history,
      ...calls.map(({ id }, position) => ({ role: 'tool', tool_call_id: id, content: results[position] ?? '' })),
    ],
  }),
  goOn: (asked, { history }, text) => ({
    ...asked,
    messages: [...objectsIn(asked.messages), ...history, { role: 'user', content: text }],
  }),
  finishWord: ({ finish }) => finish,
}

function hearDocument({ status, text }: RawAnswer): Heard {
  const body = parseJsonObject(text)
  assert(body !== undefined, `an answer is an object: ${text}`)
  if (status !== 200) return { ...nothingHeard, error: errorOf(body) }
  assert(body.object === 'chat.completion', 'the document is a completion')
  const [choice] = objectsIn(body.choices)
  assert(choice !== undefined, 'a completion has a choice')
  return heardMessage(objectAt(choice, 'message'), stringAt(choice, 'finish_reason') ?? null, usageOf(body.usage))
}

function hearStream(text: string): Heard {
  assert(!/^event:/m.test(text), 'chat events have no names')
  const payloads = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length))
  assert(payloads.pop() === '[DONE]', 'a stream ends with its mark')
  const message: JsonObject = { role: 'assistant', content: null }
  let finish: string | null = null
  let usage: HeardUsage | null = null
  let error: HeardError | null = null
  const ids = new Set<unknown>()
  for (const payload of payloads) {
    const chunk = parseJsonObject(payload)
    assert(chunk !== undefined && error === null, 'chunks are objects, and nothing follows an error')
    if (isJsonObject(chunk.error)) {
      assert(chunk.choices === undefined, 'an error has no choices')
      error = errorOf(chunk)
      continue
    }
    ids.add(chunk.id)
    assert(chunk.object === 'chat.completion.chunk' && ids.size === 1, 'all chunks are of one answer')
    const [choice] = objectsIn(chunk.choices)
    if (isJsonObject(chunk.usage)) usage = usageOf(chunk.usage)
    if (choice === undefined) continue
    assert(finish === null, 'nothing is said after the finish')
    addDelta(message, objectAt(choice, 'delta'))
    finish = stringAt(choice, 'finish_reason') ?? null
  }
  // A broken-off response is not read further.
  if (error !== null) return { ...nothingHeard, text: stringAt(message, 'content') ?? '', error }
  return heardMessage(message, finish, usage)
}

/** Joins deltas like SDKs: texts grow, calls grow by index, details are kept unchanged. */
function addDelta(message: JsonObject, delta: JsonObject): void {
  for (const name of ['content', 'refusal', 'reasoning']) {
    const piece = stringAt(delta, name)
    if (piece !== undefined) message[name] = `${stringAt(message, name) ?? ''}${piece}`
  }
  const details = objectsIn(delta.reasoning_details)
  if (details.length > 0) message.reasoning_details = [...objectsIn(message.reasoning_details), ...details]
  for (const call of objectsIn(delta.tool_calls))
    message.tool_calls = withCallDelta(objectsIn(message.tool_calls), call)
}

function withCallDelta(calls: JsonObject[], delta: JsonObject): JsonObject[] {
  const index = Number(delta.index)
  const called = objectAt(delta, 'function')
  const before = calls[index]
  if (before === undefined) {
    assert(index === calls.length && typeof delta.id === 'string' && delta.type === 'function', 'a call begins whole')
    assert(typeof called.name === 'string' && called.arguments === '', 'a call begins with its name')
    return [...calls, { id: delta.id, type: 'function', function: { ...called } }]
  }
  assert(delta.id === undefined && called.name === undefined, 'a call goes on with nothing but arguments')
  const known = objectAt(before, 'function')
  const grown = { ...known, arguments: `${stringAt(known, 'arguments')}${stringAt(called, 'arguments')}` }
  return calls.with(index, { ...before, function: grown })
}

function heardMessage(message: JsonObject, finish: string | null, usage: HeardUsage | null): Heard {
  assert(message.role === 'assistant' && message.content !== undefined, 'a message has its role and content')
  const calls = objectsIn(message.tool_calls)
  const details = objectsIn(message.reasoning_details)
  return {
    text: stringAt(message, 'content') ?? '',
    refusal: stringAt(message, 'refusal') ?? '',
    reasoning: stringAt(message, 'reasoning') ?? '',
    seals: details.flatMap((detail) => stringAt(detail, 'signature') ?? stringAt(detail, 'data') ?? []),
    calls: calls.map((call) => {
      const called = objectAt(call, 'function')
      assert(call.type === 'function' && typeof called.arguments === 'string', 'arguments are a text')
      return {
        id: stringAt(call, 'id') ?? '',
        name: stringAt(called, 'name') ?? '',
        input: JSON.parse(called.arguments),
      }
    }),
    finish,
    error: null,
    usage,
    // Most SDKs keep no other member of a call.
    history: [
      {
        role: 'assistant',
        content: message.content ?? null,
        ...(details.length === 0 ? {} : { reasoning_details: details }),
        ...(calls.length === 0
          ? {}
          : { tool_calls: calls.map(({ id, type, function: called }) => ({ id, type, function: called })) }),
      },
    ],
  }
}

function errorOf(body: JsonObject): HeardError {
  const error = objectAt(body, 'error')
  assert(typeof error.message === 'string', 'an error has a message')
  return { message: error.message, code: error.code, type: error.type }
}

function usageOf(usage: unknown): HeardUsage | null {
  if (!isJsonObject(usage)) return null
  assert(
    Number(usage.prompt_tokens) + Number(usage.completion_tokens) === usage.total_tokens,
    'the total is the sum of both sides',
  )
  return {
    input: Number(usage.prompt_tokens),
    cached: Number(objectAt(usage, 'prompt_tokens_details').cached_tokens),
    output: Number(usage.completion_tokens),
    reasoning: Number(objectAt(usage, 'completion_tokens_details').reasoning_tokens),
    cost: Number(usage.cost),
  }
}
