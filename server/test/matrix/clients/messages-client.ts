import { blocksOf, eventsIn, readAsClient } from '#dialects/messages/fixtures/read-as-client.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { sampleSchema, samplePng } from '../features.ts'
import { objectsIn } from '../upstreams/json-path.ts'
import { type Client, type Heard, type HeardError, type HeardUsage, nothingHeard, type RawAnswer } from './client.ts'

export const messagesClient: Client = {
  dialect: 'messages',
  path: '/v1/messages',
  ask: (feature, tools) => {
    const source = { type: 'base64', media_type: samplePng.mediaType, data: samplePng.base64 }
    const text = { type: 'text', text: 'Hello there' }
    return {
      messages: [{ role: 'user', content: feature === 'image input' ? [text, { type: 'image', source }] : [text] }],
      max_tokens: 4_000,
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
          }),
      ...(feature === 'reasoning with signature' ? { thinking: { type: 'enabled', budget_tokens: 1_024 } } : {}),
      ...(feature === 'structured output'
        ? { output_config: { format: { type: 'json_schema', schema: sampleSchema } } }
        : {}),
    }
  },
  hear: (answer) => (answer.isStream ? hearStream(answer.text) : hearDocument(answer)),
  answerTools: (asked, { history, calls }, results) => ({
    ...asked,
    messages: [
      ...objectsIn(asked.messages),
      ...history,
      {
        role: 'user',
        content: calls.map(({ id }, position) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: results[position] ?? '',
        })),
      },
    ],
  }),
  goOn: (asked, { history }, text) => ({
    ...asked,
    messages: [...objectsIn(asked.messages), ...history, { role: 'user', content: text }],
  }),
  finishWord: ({ finish, refusal }) => {
    if (finish === 'content_filter' || refusal !== undefined) return 'refusal'
    return { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' }[finish]
  },
}

function hearDocument({ status, text }: RawAnswer): Heard {
  const body = parseJsonObject(text)
  assert(body !== undefined, `an answer is an object: ${text}`)
  if (status === 200) return heardMessage(body)
  assert(typeof body.request_id === 'string', 'an error names its request')
  return { ...nothingHeard, error: errorOf(body) }
}

function hearStream(text: string): Heard {
  assert(!text.includes('[DONE]'), 'this dialect has no end mark')
  const events = eventsIn(text)
  const last = events.at(-1)
  const start = objectAt(events.find(({ type }) => type === 'message_start') ?? {}, 'message')
  assert((start.stop_details ?? null) === null, 'how a message ended is not told at its start')
  if (last?.type !== 'error') return heardMessage(readAsClient(text))
  const deltas = events.map((event) => stringAt(objectAt(event, 'delta'), 'text') ?? '')
  return { ...nothingHeard, text: deltas.join(''), error: errorOf(last) }
}

function heardMessage(message: JsonObject): Heard {
  assert(message.type === 'message' && message.role === 'assistant', 'it is a message')
  const blocks = blocksOf(message)
  const text = blocks.map((block) => (block.type === 'text' ? (stringAt(block, 'text') ?? '') : '')).join('')
  const explanation = stringAt(objectAt(message, 'stop_details'), 'explanation') ?? ''
  return {
    text,
    // This dialect has no block for refusals: they are text, or come with the stop reason.
    refusal: message.stop_reason === 'refusal' ? `${text}${explanation}` : '',
    reasoning: blocks.map((block) => stringAt(block, 'thinking') ?? '').join(''),
    seals: blocks.flatMap((block) => stringAt(block, 'signature') ?? stringAt(block, 'data') ?? []),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    finish: stringAt(message, 'stop_reason') ?? null,
    error: null,
    usage: usageOf(objectAt(message, 'usage')),
    history: [{ role: 'assistant', content: blocks }],
  }
}

function errorOf(body: JsonObject): HeardError {
  const error = objectAt(body, 'error')
  assert(body.type === 'error' && typeof error.message === 'string', 'an error has its form')
  return { message: error.message, code: error.code, type: error.type }
}

/** This dialect counts cached input separately. */
function usageOf(usage: JsonObject): HeardUsage {
  const cached = Number(usage.cache_read_input_tokens)
  return {
    input: Number(usage.input_tokens) + cached + Number(usage.cache_creation_input_tokens),
    cached,
    output: Number(usage.output_tokens),
    reasoning: Number(objectAt(usage, 'output_tokens_details').thinking_tokens ?? 0),
    cost: Number(usage.weir_cost),
  }
}
