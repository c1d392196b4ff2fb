import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { countTokens } from './count-tokens.ts'
import { parseMessages } from './parse-messages.ts'

const plain: JsonObject = {
  model: 'maker/model',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello there' }],
}

function refusalOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error instanceof GatewayError ? error.row.code : error
  }
  return 'accepted'
}

it('gives what the pipeline must know', () => {
  expect(parseMessages({ ...plain, model: 'weir/maker/model', stream: true })).toMatchObject({
    modelName: 'maker/model',
    stream: true,
    maxTokens: 100,
    choiceCount: 1,
    promptTokensEstimate: 7,
  })
  expect(parseMessages(plain).stream).toBe(false)
})

it('has no cap above what the ledger can price, and no tools unless it names some', () => {
  expect(parseMessages(plain)).toEqual({
    modelName: 'maker/model',
    stream: false,
    maxTokens: 100,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: 7,
    promptTokensHeld: 7,
    promptTokensMax: 15,
    body: plain,
  })
  expect(parseMessages({ ...plain, model: 'maker/weir/' }).modelName).toBe('maker/weir/')
  expect(parseMessages({ ...plain, max_tokens: 2 ** 40 }).maxTokens).toBe(2_147_483_647)
  expect(parseMessages({ ...plain, max_tokens: 1, stream: null })).toMatchObject({ maxTokens: 1, stream: false })
  expect(parseMessages({ ...plain, tools: [] }).hasTools).toBe(false)
  expect(parseMessages({ ...plain, tools: null }).hasTools).toBe(false)
  expect(parseMessages({ ...plain, tools: [{ type: 'bash_20250124' }] }).hasTools).toBe(true)
})

describe('a request names the field that is wrong', () => {
  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['model', undefined, 'missing_required_field', 'The field `model` is required.'],
    ['model', null, 'missing_required_field', 'The field `model` is required.'],
    ['model', 7, 400, '`model` must be a string.'],
    ['max_tokens', undefined, 'missing_required_field', 'The field `max_tokens` is required.'],
    ['max_tokens', null, 'missing_required_field', 'The field `max_tokens` is required.'],
    ['max_tokens', -1, 'max_tokens_invalid', '`max_tokens` must be a positive integer.'],
    ['max_tokens', 2 ** 53, 'max_tokens_invalid', '`max_tokens` must be a positive integer.'],
    ['messages', undefined, 'missing_required_field', 'The field `messages` is required.'],
    ['messages', {}, 400, '`messages` must be an array.'],
    ['messages', [], 400, '`messages` must contain at least one message.'],
    ['system', 7, 400, '`system` must be a string or an array of blocks.'],
    ['tools', {}, 'invalid_tools_definition', '`tools` must be an array.'],
    ['stream', 'yes', 400, '`stream` must be true or false.'],
    ['temperature', 2.1, 400, '`temperature` must be a number from 0 to 2.'],
    ['temperature', -0.1, 400, '`temperature` must be a number from 0 to 2.'],
    ['temperature', '1', 400, '`temperature` must be a number from 0 to 2.'],
    ['top_p', '0.5', 400, '`top_p` must be a number.'],
    ['top_k', true, 400, '`top_k` must be a number.'],
    ['stop_sequences', 'x', 400, '`stop_sequences` must be an array of strings.'],
    ['stop_sequences', ['x', 5], 400, '`stop_sequences` must be an array of strings.'],
  ])('with `%s` of %j', (name, value, code, message) => {
    expect(() => parseMessages({ ...plain, [name]: value })).toThrow(
      expect.objectContaining({ row: expect.objectContaining({ status: 400, code }), message }),
    )
  })

  it.each<[string, JsonValue]>([
    ['temperature', 0],
    ['temperature', 2],
    ['temperature', null],
    ['top_p', 0.5],
    ['top_p', null],
    ['top_k', 40],
    ['stop_sequences', []],
    ['stop_sequences', ['x', 'y']],
    ['stop_sequences', null],
    ['system', 'You help.'],
  ])('and takes `%s` of %j', (name, value) => {
    expect(parseMessages({ ...plain, [name]: value }).modelName).toBe('maker/model')
  })
})

describe('a request is refused', () => {
  it.each<[string, JsonObject, string | number]>([
    ['without a model', { model: undefined }, 'missing_required_field'],
    ['with a model that is no name', { model: 7 }, 400],
    ['without max_tokens', { max_tokens: undefined }, 'missing_required_field'],
    ['with max_tokens of zero', { max_tokens: 0 }, 'max_tokens_invalid'],
    ['with max_tokens of a fraction', { max_tokens: 1.5 }, 'max_tokens_invalid'],
    ['with max_tokens as text', { max_tokens: '9' }, 'max_tokens_invalid'],
    ['without messages', { messages: null }, 'missing_required_field'],
    ['with no message at all', { messages: [] }, 400],
    ['with messages that are no list', { messages: 'Hi' }, 400],
    ['with a message without content', { messages: [{ role: 'user' }] }, 'missing_required_field'],
    ['with a block without type', { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }, 400],
    ['with a text that is none', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 400],
    [
      'with a result that belongs to no call',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: '' }] }] },
      'malformed_tool_messages',
    ],
    ['with a system that is neither text nor blocks', { system: 7 }, 400],
    ['with a temperature above 2', { temperature: 2.1 }, 400],
    ['with a temperature below 0', { temperature: -0.1 }, 400],
    ['with stop sequences that are no texts', { stop_sequences: 'x' }, 400],
    ['with a stream that is neither true nor false', { stream: 'yes' }, 400],
    ['with a tool that has no schema', { tools: [{ name: 'get' }] }, 'invalid_tools_definition'],
    ['with a tool of a strange name', { tools: [{ name: 'a b', input_schema: {} }] }, 'invalid_tools_definition'],
  ])('%s', (_what, change, code) => {
    expect(refusalOf(() => parseMessages({ ...plain, ...change }))).toBe(code)
  })
})

it('takes everything that coding agents send, known or not', () => {
  const body = {
    ...plain,
    system: [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }],
    thinking: { type: 'adaptive' },
    context_management: { edits: [] },
    metadata: { user_id: 'u', other: 1 },
    betas: ['x'],
    tools: [
      { type: 'web_search_20260209', name: 'web_search' },
      { type: 'advisor_20260301', name: 'advisor' },
    ],
    messages: [{ role: 'user', content: [{ type: 'mid_conversation_news', value: 1 }] }],
    temperature: 2,
    made_up: true,
  }
  expect(refusalOf(() => parseMessages(body))).toBe('accepted')
})

describe('the estimate of a prompt', () => {
  it('counts a photo and a document by what they are, not by their base64', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4_000_000) }
    expect(estimate([{ type: 'image', source }])).toBeLessThan(2_000)
    expect(estimate([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }])).toBeLessThan(
      2_000,
    )
    expect(estimate([{ type: 'document', source: { ...source, media_type: 'application/pdf' } }])).toBeLessThan(200_000)
  })

  it('counts text wherever it stands, and needs no max_tokens', () => {
    const text = 'word '.repeat(400)
    expect(estimate([{ type: 'text', text }])).toBe(504)
    expect(estimate([{ type: 'tool_result', tool_use_id: 't', content: text }])).toBe(504)
    expect(countTokens({ model: 'm', system: text, messages: [{ role: 'user', content: '' }] })).toEqual({
      input_tokens: 504,
    })
    expect(refusalOf(() => countTokens({ model: 'm' }))).toBe('missing_required_field')
  })
})

function estimate(content: JsonObject[]): number {
  return countTokens({ ...plain, messages: [{ role: 'user', content }] }).input_tokens
}
