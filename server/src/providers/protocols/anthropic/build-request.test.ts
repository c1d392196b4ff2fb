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

  it('is put around a body that its caller wrote, too', () => {
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
})

describe('thinking', () => {
  it.each([
    ['xhigh', 10_000, 9_500, 10_000],
    ['high', 10_000, 8_000, 10_000],
    ['medium', 10_000, 5_000, 10_000],
    ['low', 10_000, 2_000, 10_000],
    ['minimal', 10_000, 1_024, 10_000],
    ['tremendous', 10_000, 5_000, 10_000],
    ['high', 1_000, 1_024, 2_024],
    ['medium', null, 2_048, 4_096],
  ])('%s of %j is %i, below a cap of %i', (effort, maxTokens, budget, cap) => {
    const { body } = build({ maxTokens, reasoning: { effort } })
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: budget })
    expect(body.max_tokens).toBe(cap)
  })

  it('has the budget that was asked for, and makes room for the answer', () => {
    const { body } = build({ maxTokens: 500, reasoning: { budgetTokens: 2_000, effort: 'low' } })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 2_500 })
  })

  it.each([{ enabled: false }, { effort: 'none' }])('is turned off by %j', (reasoning) => {
    expect(build({ reasoning }).body.thinking).toEqual({ type: 'disabled' })
  })

  it('is left to the model by a wish about showing it alone', () => {
    expect(build({ reasoning: { exclude: true } }).body).not.toHaveProperty('thinking')
  })

  it('leaves out the sampling that can not go with it', () => {
    const sampling = { temperature: 0.3, topP: 0.5, topK: 40 }
    const { body, ignored } = build({ reasoning: { enabled: true }, sampling })
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('top_p')
    expect(body).not.toHaveProperty('top_k')
    expect(ignored).toEqual(['temperature', 'top_p', 'top_k'])
    expect(build({ reasoning: { enabled: true }, sampling: { temperature: 1, topP: 0.95 } })).toMatchObject({
      body: { top_p: 0.95 },
      ignored: [],
    })
  })

  it('travels as sent where it was sent in full, and is completed where not', () => {
    const adaptive = { type: 'adaptive' }
    expect(build({ extras: { thinking: adaptive } }).body.thinking).toEqual(adaptive)
    const shown = { type: 'enabled', budget_tokens: 5_000, display: 'omitted' }
    const { body } = build({ extras: { thinking: shown }, reasoning: { enabled: true, budgetTokens: 5_000 } })
    expect(body).toMatchObject({ thinking: shown, max_tokens: 9_096 })
    const bare = build({ extras: { thinking: { type: 'enabled' } }, reasoning: { enabled: true } })
    expect(bare.body.thinking).toEqual({ type: 'enabled', budget_tokens: 2_048 })
  })

  it('gives way to a tool that must be called', () => {
    const toolChoice = { kind: 'required' } as const
    const { body, ignored } = build({ tools: [tool], toolChoice, reasoning: { effort: 'high' } })
    expect(body).not.toHaveProperty('thinking')
    expect(ignored).toEqual(['reasoning'])
  })

  const late = { upstreamModel: 'claude-opus-4-7' }
  const adaptive = { type: 'adaptive', display: 'summarized' }

  it.each([
    [{ effort: 'minimal' }, adaptive, { effort: 'low' }],
    [{ effort: 'xhigh' }, adaptive, { effort: 'xhigh' }],
    [{ effort: 'tremendous' }, adaptive, { effort: 'medium' }],
    [{ budgetTokens: 4_095 }, adaptive, { effort: 'low' }],
    [{ budgetTokens: 4_096 }, adaptive, { effort: 'medium' }],
    [{ budgetTokens: 16_384 }, adaptive, { effort: 'high' }],
    [{ enabled: true }, adaptive, undefined],
    [{ enabled: true, exclude: true }, { type: 'adaptive', display: 'omitted' }, undefined],
    [{ enabled: false }, { type: 'disabled' }, undefined],
    [{ effort: 'none' }, { type: 'disabled' }, undefined],
    [{ exclude: true }, undefined, undefined],
    [null, undefined, undefined],
  ])('[W1] is an effort for releases since Opus 4.7: %j', (reasoning, thinking, config) => {
    const { body, ignored } = build({ maxTokens: 500, reasoning }, late)
    expect(body.thinking).toEqual(thinking)
    expect(body.output_config).toEqual(config)
    expect(body.max_tokens).toBe(500)
    expect(ignored).toEqual([])
  })

  it('[W1] is put into these words where the caller used the older ones, beside the schema of the answer', () => {
    const schema = { type: 'object' }
    const { body } = build(
      {
        extras: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
        responseFormat: { kind: 'schema', name: 'x', schema },
      },
      late,
    )
    expect(body).toMatchObject({
      thinking: adaptive,
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    })
    const asSent = { type: 'adaptive' }
    expect(build({ extras: { thinking: asSent } }, late).body.thinking).toEqual(asSent)
  })

  it('[W1] can not be turned off, nor a tool be demanded, where the release refuses it', () => {
    const where = { upstreamModel: 'claude-opus-5-5' }
    const resting = build({ reasoning: { effort: 'none' } }, where)
    expect(resting.body).not.toHaveProperty('thinking')
    expect(resting.ignored).toEqual(['reasoning'])
    const forced = build({ tools: [tool], toolChoice: { kind: 'required' }, reasoning: { effort: 'low' } }, where)
    expect(forced.body).toMatchObject({ tool_choice: { type: 'auto' }, thinking: adaptive })
    expect(forced.ignored).toEqual(['tool_choice'])
  })

  it('[W2] goes without sampling since Opus 4.7, and says so where that changes something', () => {
    const told = build({ sampling: { temperature: 0.5, topP: 0.9, topK: 4 } }, late)
    for (const name of ['temperature', 'top_p', 'top_k']) expect(told.body).not.toHaveProperty(name)
    expect(told.ignored).toEqual(['temperature', 'top_p', 'top_k'])
    const usual = build({ sampling: { temperature: 1, topP: 0.99, topK: 0 } }, late)
    for (const name of ['temperature', 'top_p', 'top_k']) expect(usual.body).not.toHaveProperty(name)
    expect(usual.ignored).toEqual([])
  })

  it('[W12] leaves temperature or top-p to releases that refuse both', () => {
    const where = { upstreamModel: 'claude-opus-4-5' }
    const both = build({ sampling: { temperature: 0.5, topP: 0.9 } }, where)
    expect(both.body).toMatchObject({ temperature: 0.5 })
    expect(both.body).not.toHaveProperty('top_p')
    expect(both.ignored).toEqual(['top_p'])
    expect(build({ sampling: { topP: 0.9 } }, where)).toMatchObject({ body: { top_p: 0.9 }, ignored: [] })
    const before = build({ sampling: { temperature: 0.5, topP: 0.9 } }, { upstreamModel: 'claude-sonnet-4-20250514' })
    expect(before).toMatchObject({ body: { temperature: 0.5, top_p: 0.9 }, ignored: [] })
  })

  it('[P17] goes on in a loop of tools only where the loop began with it', () => {
    const loop = (...parts: Part[]) => [question, turn('assistant', ...parts, called), turn('user', result)]
    const reasoning = { effort: 'high' }
    expect(build({ turns: loop(sealed), reasoning })).toMatchObject({ body: { thinking: {} }, ignored: [] })
    expect(build({ turns: loop(text('Wait.')), reasoning }).ignored).toEqual(['reasoning'])
    const later = [...loop(), turn('assistant', text('Rain.')), question]
    expect(build({ turns: later, reasoning }).ignored).toEqual([])
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
