import { describe, expect, it } from 'vitest'
import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { anthropic } from '#providers/vendors/anthropic/index.ts'
import type { Target } from '#providers/protocol.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { buildMessagesRequest, wrapMessagesBody } from './build-request.ts'

const target: Target = {
  vendor: anthropic,
  baseUrl: null,
  credential: 'sk-ant-api03-x',
  upstreamModel: 'claude-x',
  openAiFamily: false,
}

const question: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Question' }] }
const tool = { name: 'get_weather', description: 'Weather', parameters: { properties: {} } }

const plain: CanonicalCall = { ...plainCall, turns: [question] }

function build(call: Partial<CanonicalCall>, where: Partial<Target> = {}) {
  const request = buildMessagesRequest({ ...plain, ...call }, { ...target, ...where })
  return { ...request, body: parseJsonObject(request.body) ?? {} }
}

function turn(role: Turn['role'], ...parts: Part[]): Turn {
  return { role, parts }
}

const text = (words: string): Part => ({ kind: 'text', text: words })
const called: Part = { kind: 'tool-call', id: 'toolu_1', name: 'get_weather', argumentsJson: '' }
const result: Part = { kind: 'tool-result', callId: 'toolu_1', content: [{ kind: 'text', text: 'Rain' }] }
const sealed: Part = { kind: 'reasoning', text: 'Hm', signature: 'c2ln', format: 'anthropic' }

describe('V4: thoughts that come back', () => {
  const turns = [question, turn('assistant', sealed, called), turn('user', result)]
  const binding = { prefix_mismatch_behavior: 'drop_block' }
  const beta = 'thinking-binding-controls-2026-08-01'

  it.each([
    ['claude-fable-5-1', true],
    ['claude-mythos-5-2', true],
    ['claude-opus-5-5', true],
    ['claude-sonnet-5-5', true],
    ['claude-haiku-5-5', true],
    ['claude-saga-9', true],
    ['claude-fable-5', false],
    ['claude-opus-5', false],
    ['claude-haiku-5', false],
    ['claude-sonnet-4-6', false],
  ])('are dropped by %s where they no longer fit, and not refused: %s', (upstreamModel, isBound) => {
    const { body, headers } = build({ turns }, { upstreamModel })
    expect(body.thinking).toEqual(isBound ? { type: 'adaptive', block_binding: binding } : undefined)
    expect(headers['anthropic-beta']).toBe(isBound ? beta : undefined)
    const wished = build({ turns, reasoning: { effort: 'low' } }, { upstreamModel })
    if (isBound) expect(wished.body.thinking).toMatchObject({ display: 'summarized', block_binding: binding })
    else expect(wished.body.thinking ?? {}).not.toHaveProperty('block_binding')
  })

  it('are not spoken of where there are none, or where the model may not think', () => {
    const upstreamModel = 'claude-sonnet-5-5'
    expect(build({}, { upstreamModel }).body).not.toHaveProperty('thinking')
    const resting = build({ turns, reasoning: { enabled: false } }, { upstreamModel })
    expect(resting.body.thinking).toEqual({ type: 'between_tools' })
    expect(resting.headers).not.toHaveProperty('anthropic-beta')
  })
})

describe('the address of a request', () => {
  it('is the vendor’s, with the key in a header of its own', () => {
    const { origin, path, headers, body } = build({})
    expect(origin + path).toBe('https://api.anthropic.com/v1/messages')
    expect(headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'weir',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'sk-ant-api03-x',
    })
    expect(body).toEqual({
      model: 'claude-x',
      max_tokens: 4_096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Question' }] }],
      stream: false,
    })
  })

  it('is the operator’s where there is one', () => {
    const { origin, path, headers } = build({ stream: true }, { baseUrl: 'http://127.0.0.1:9/anthropic/?a=1' })
    expect(origin + path).toBe('http://127.0.0.1:9/anthropic/v1/messages?a=1')
    expect(headers.accept).toBe('text/event-stream')
  })

  it('carries tokens as bearers, and betas that can stand in a header', () => {
    const { headers, ignored } = build(
      { extras: { betas: ['context-1m', 'bad\r\nvalue', 7] } },
      { credential: 'sk-ant-oat01-x' },
    )
    expect(headers).toMatchObject({
      authorization: 'Bearer sk-ant-oat01-x',
      'anthropic-beta': 'oauth-2025-04-20,context-1m',
    })
    expect(headers['x-api-key']).toBeUndefined()
    expect(ignored).toEqual([])
  })

  it('names the model in the path, and the version in the body, for hosts that want them there', () => {
    const vendor = {
      ...anthropic,
      messagesPath: '/models/{model}:{action}',
      bodyVersion: 'vertex-2023-10-16',
      authentication: { kind: 'bearer' },
    } as const
    const { path, body, headers } = build({ stream: true, extras: { betas: ['b'] } }, { vendor, credential: 'token' })
    expect(path).toBe('/models/claude-x:streamRawPredict')
    expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', anthropic_beta: ['b'], stream: true })
    expect(body).not.toHaveProperty('model')
    expect(headers).toMatchObject({ authorization: 'Bearer token' })
    expect(headers).not.toHaveProperty('anthropic-version')
  })

  it('is put around a body that its client wrote, too', () => {
    const body: JsonObject = { model: 'ours/claude', max_tokens: 5, messages: [], stream: true, unheard: { of: 1 } }
    const request = wrapMessagesBody({ body, betas: ['b'] }, target)
    expect(parseJsonObject(request.body)).toEqual({ ...body, model: 'claude-x' })
    expect(request.headers).toMatchObject({ accept: 'text/event-stream', 'anthropic-beta': 'b' })
  })
})

describe('the conversation', () => {
  it('keeps cache marks where they were sent, and drops empty texts', () => {
    const cache = { type: 'ephemeral', ttl: '1h' }
    const { body } = build({
      system: [
        { kind: 'text', text: '' },
        { kind: 'text', text: 'Be brief.', cache },
      ],
      turns: [turn('user', { kind: 'text', text: 'Hi', cache })],
      tools: [{ ...tool, cache }],
    })
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.', cache_control: cache }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: cache }] }],
      tools: [{ name: 'get_weather', cache_control: cache }],
    })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3)
  })

  it('alternates, with results first in the turn that answers', () => {
    const { body } = build({
      turns: [
        question,
        turn('system', text('Instruction')),
        turn('assistant', text('Wait.')),
        turn('assistant', called),
        turn('system', text('Later')),
        turn('user', result),
        turn('user', text('And?')),
        turn('assistant', text('')),
        turn('user', text('Well?')),
      ],
    })
    const roles = Array.isArray(body.messages) ? body.messages : []
    expect(roles).toMatchObject([
      { role: 'user', content: [{ text: 'Question' }, { text: 'Instruction' }] },
      { role: 'assistant', content: [{ text: 'Wait.' }, { type: 'tool_use', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1' },
          { text: 'Later' },
          { text: 'And?' },
          { text: 'Well?' },
        ],
      },
    ])
    expect(roles).toHaveLength(3)
  })

  it('gives tools their input as an object, whatever was written', () => {
    const inputs = ['', '{"a":1}', '[1]', '{"a"'].map((argumentsJson): Part => ({ ...called, argumentsJson }))
    const { body } = build({ turns: [question, turn('assistant', ...inputs)] })
    expect(blocksOf(body, 1).map((block) => block.input)).toEqual([
      {},
      { a: 1 },
      { arguments: '[1]' },
      { arguments: '{"a"' },
    ])
  })

  it('joins calls and results of other vendors under ids that are accepted', () => {
    const id = 'functions.get_weather:0'
    const { body } = build({
      turns: [question, turn('assistant', { ...called, id }), turn('user', { ...result, callId: id })],
    })
    expect(blocksOf(body, 1)[0]?.id).toBe('functions_get_weather_0')
    expect(blocksOf(body, 2)[0]?.tool_use_id).toBe('functions_get_weather_0')
  })

  it('shows images and documents, also as results, and names what can not be shown', () => {
    const image: Part = { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } }
    const pixels: Part = { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } }
    const pdf: Part = {
      kind: 'file',
      source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBE' },
      filename: 'a.pdf',
    }
    const note: Part = { kind: 'file', source: { kind: 'data', mediaType: 'text/markdown', base64: 'SGk=' } }
    const archive: Part = { kind: 'file', source: { kind: 'data', mediaType: 'application/zip', base64: 'AA==' } }
    const sound: Part = { kind: 'audio', base64: 'AAAA', format: 'wav' }
    const { body, ignored } = build({
      turns: [
        turn('user', image, pixels, pdf, note, archive, sound),
        turn('assistant', called),
        turn('user', { kind: 'tool-result', callId: 'toolu_1', content: [pixels], isError: true }),
      ],
    })
    expect(blocksOf(body, 0)).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hi' } },
    ])
    expect(blocksOf(body, 2)).toMatchObject([{ type: 'tool_result', is_error: true, content: [{ type: 'image' }] }])
    expect(ignored).toEqual(['file', 'audio'])
  })

  it('[P17] brings thinking back byte for byte, but only to its maker and only with its seal', () => {
    const { body } = build({
      turns: [
        question,
        turn(
          'assistant',
          sealed,
          { kind: 'reasoning', text: '', encrypted: 'ZW5j', format: 'anthropic' },
          { kind: 'reasoning', text: 'unsealed', format: 'anthropic' },
          { kind: 'reasoning', text: 'other', signature: 'x', format: 'google' },
          { kind: 'reasoning', text: '', encrypted: 'x', format: 'openai' },
          { kind: 'opaque', protocol: 'anthropic', value: { type: 'compaction', content: 'c' } },
          { kind: 'opaque', protocol: 'gemini', value: { executableCode: {} } },
          text('Answer'),
        ),
      ],
    })
    expect(blocksOf(body, 1)).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'ZW5j' },
      { type: 'compaction', content: 'c' },
      { type: 'text', text: 'Answer' },
    ])
  })
})

describe('tools', () => {
  it.each([
    [{ kind: 'auto' }, null, { type: 'auto' }],
    [{ kind: 'required' }, null, { type: 'any' }],
    [{ kind: 'none' }, false, { type: 'none' }],
    [{ kind: 'tool', name: 'get_weather' }, true, { type: 'tool', name: 'get_weather' }],
    [{ kind: 'required' }, false, { type: 'any', disable_parallel_tool_use: true }],
    [null, false, { type: 'auto', disable_parallel_tool_use: true }],
    [null, true, undefined],
  ] as const)('are chosen as asked: %j, several at once: %j', (toolChoice, parallelToolCalls, expected) => {
    const { body } = build({ tools: [tool], toolChoice, parallelToolCalls })
    expect(body.tool_choice).toEqual(expected)
    expect(body.tools).toEqual([
      { name: 'get_weather', description: 'Weather', input_schema: { type: 'object', properties: {} } },
    ])
  })

  it('that are not there can not be chosen', () => {
    expect(build({ toolChoice: { kind: 'auto' }, parallelToolCalls: false }).body).not.toHaveProperty('tool_choice')
  })

  it('of the upstream itself travel as sent; those of other vendors do not', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
    const extras = { server_tools: [search], tools: [{ type: 'web_search' }] }
    expect(build({ extras }).body.tools).toEqual([search])
  })

  it('[M2] that search the web are given a bound where their client sets none', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    expect(build({ extras: { tools: [search] } }).body.tools).toEqual([{ ...search, max_uses: 5 }])
  })
})

describe('the other settings', () => {
  it.each([
    [1.7, 1, ['temperature']],
    [1, 1, []],
    [0.4, 0.4, []],
    [-1, 0, ['temperature']],
  ])('a temperature of %d is sent as %d, and named where that is not the same', (temperature, sent, named) => {
    const { body, ignored } = build({ sampling: { temperature } })
    expect(body.temperature).toBe(sent)
    expect(ignored).toEqual(named)
  })

  it('are sent under their names here, and named where there is no such thing', () => {
    const { body, ignored } = build({
      maxTokens: 7,
      choiceCount: 2,
      sampling: { topP: 0.5, topK: 0, stop: ['END', '\n'], seed: 1, frequencyPenalty: 0.1 },
      endUser: 'user-1',
      responseFormat: { kind: 'json' },
      extras: {
        metadata: { user_id: 'other', project: 'x' },
        service_tier: 'flex',
        context_management: { edits: [] },
        logit_bias: { 1: 2 },
        logprobs: null,
        provider: { order: ['x'] },
        stream_options: {},
      },
    })
    expect(body).toMatchObject({
      max_tokens: 7,
      top_p: 0.5,
      stop_sequences: ['END'],
      metadata: { user_id: 'user-1' },
      context_management: { edits: [] },
    })
    expect(Object.keys(body)).not.toContain('top_k')
    expect(ignored.toSorted()).toEqual(
      ['frequency_penalty', 'logit_bias', 'n', 'response_format', 'seed', 'service_tier', 'stop'].toSorted(),
    )
  })

  it('ask for a schema without adding a word to the prompt', () => {
    const schema = { type: 'object', properties: {} }
    const { body, ignored } = build({
      responseFormat: { kind: 'schema', name: 'answer', schema, strict: true },
      extras: { output_config: { effort: 'low' }, service_tier: 'standard_only', metadata: { user_id: 'u' } },
    })
    expect(body).toMatchObject({
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      service_tier: 'standard_only',
      metadata: { user_id: 'u' },
    })
    expect(ignored).toEqual([])
  })
})

function blocksOf({ messages }: JsonObject, position: number): JsonObject[] {
  const message: unknown = Array.isArray(messages) ? messages[position] : undefined
  const content = parseJsonObject(JSON.stringify(message ?? {}))?.content
  return Array.isArray(content) ? content.map((block) => parseJsonObject(JSON.stringify(block)) ?? {}) : []
}
