import { describe, expect, it } from 'vitest'
import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { amazonBedrock } from '#providers/vendors/amazon-bedrock/index.ts'
import type { ProtocolRequest } from '#providers/protocol.ts'
import {
  bedrockAnswers,
  redactedThinking,
  thinkingSignature,
} from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockBody } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { buildRequest } from './build-request.ts'
import { readDocument } from './read-document.ts'

const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const claudeAdaptive = 'anthropic.claude-opus-4-7-v1:0'
const llama = 'meta.llama3-3-70b-instruct-v1:0'
const nova = 'us.amazon.nova-pro-v1:0'

const hi: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }
const weather = { name: 'get_weather', description: 'Weather', parameters: { type: 'object', properties: {} } }
const called: Part = { kind: 'tool-call', id: 'tooluse_a', name: 'get_weather', argumentsJson: '{"city":"Oslo"}' }
const told: Part = { kind: 'tool-result', callId: 'tooluse_a', content: [{ kind: 'text', text: '7 °C' }] }
const toolHistory: Turn[] = [hi, { role: 'assistant', parts: [called] }, { role: 'user', parts: [told] }]

const marked: Partial<CanonicalCall> = {
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi', cache: { type: 'ephemeral', ttl: '1h' } }] }],
  sampling: { topK: 40 },
}

describe('the request for Converse', () => {
  it('names the model in the path, encoded, and the way of answering', () => {
    expect(request({}).path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse')
    expect(request({ stream: true })).toMatchObject({
      origin: 'https://bedrock-runtime.eu-north-1.amazonaws.com',
      path: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
      headers: { accept: 'application/vnd.amazon.eventstream' },
    })
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x'
    expect(request({}, arn, 'https://proxy.example/aws/').path).toBe(`/aws/model/${encodeURIComponent(arn)}/converse`)
  })

  it.each([
    ['us.amazon.nova-pro-v1:0', undefined],
    ['global.amazon.nova-2-lite-v1:0', undefined],
    ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/apac.amazon.nova-lite-v1:0', undefined],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k7x2', 'amazon/nova-lite-v1'],
    ['arn:aws:bedrock:us-east-1:123456789012:custom-model-deployment/k7x2', 'amazon/nova-micro-v1'],
  ])('knows Nova behind %s', (upstreamModel, model) => {
    const { body: text, ignored } = request(marked, upstreamModel, defaultBaseUrl, model)
    expect(JSON.parse(text)).toMatchObject({
      messages: [{ content: [{ text: 'Hi' }, { cachePoint: { type: 'default' } }] }],
      additionalModelRequestFields: { inferenceConfig: { topK: 40 } },
    })
    expect(ignored).toEqual([])
  })

  it.each([
    ['global.anthropic.claude-opus-4-7', undefined],
    ['arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-opus-4-7', undefined],
    ['arn:aws-us-gov:bedrock:us-gov-west-1:1:inference-profile/us-gov.anthropic.claude-opus-4-7', undefined],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k7x2', 'anthropic/claude-opus-4.7'],
  ])('knows the release of Claude behind %s', (upstreamModel, model) => {
    const { body: text, ignored } = request(marked, upstreamModel, defaultBaseUrl, model)
    expect(JSON.parse(text)).toMatchObject({
      messages: [{ content: [{ text: 'Hi' }, { cachePoint: { type: 'default', ttl: '1h' } }] }],
    })
    // Claude releases from this one on accept no sampling parameters.
    expect(ignored).toEqual(['top_k'])
  })

  it('sends others behind a profile no cache points', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k7x2'
    const { body: text, ignored } = request(marked, arn, defaultBaseUrl, 'meta-llama/llama-4-scout')
    expect(JSON.parse(text)).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] })
    expect(ignored).toEqual(['top_k', 'cache_control'])
  })

  it('leaves authorization to the signer', () => {
    expect(Object.keys(request({}).headers)).not.toContain('authorization')
  })

  it('says little when little was asked', () => {
    expect(body({})).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] })
  })

  it('has a place for instructions, limits and sampling', () => {
    const sampling = { temperature: 1.7, topP: 0.9, topK: 40, stop: ['END'] }
    const system = [{ kind: 'text', text: 'Be brief.' }] as const
    expect(body({ system, maxTokens: 50, sampling }, 'anthropic.claude-sonnet-4-20250514-v1:0')).toMatchObject({
      system: [{ text: 'Be brief.' }],
      inferenceConfig: { maxTokens: 50, temperature: 1, topP: 0.9, stopSequences: ['END'] },
      additionalModelRequestFields: { top_k: 40 },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
    })
    expect(body({ sampling }, nova)).toMatchObject({ additionalModelRequestFields: { inferenceConfig: { topK: 40 } } })
    expect(request({ sampling }, llama).ignored.toSorted()).toEqual(['temperature', 'top_k'])
    expect(request({ sampling: { temperature: 1 } }, llama).ignored).toEqual([])
  })

  it('joins neighbours of one role and puts results before anything else', () => {
    const turns: Turn[] = [
      hi,
      { role: 'system', parts: [{ kind: 'text', text: 'Now in French.' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: '  ' }, called] },
      { role: 'user', parts: [{ kind: 'text', text: 'And?' }] },
      { role: 'user', parts: [told] },
    ]
    const { messages } = body({ turns })
    expect(messages).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, { text: 'Now in French.' }] },
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 'tooluse_a', name: 'get_weather', input: { city: 'Oslo' } } }],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 'tooluse_a', content: [{ text: '7 °C' }] } }, { text: 'And?' }],
      },
    ])
  })

  it('drops a turn that says nothing', () => {
    const turns: Turn[] = [hi, { role: 'assistant', parts: [{ kind: 'text', text: '' }] }, hi]
    expect(body({ turns }).messages).toEqual([{ role: 'user', content: [{ text: 'Hi' }, { text: 'Hi' }] }])
  })

  it('renames ids that Bedrock would refuse, the same in call and result', () => {
    const callId = `functions.get:0/${'x'.repeat(80)}`
    const turns: Turn[] = [
      { role: 'assistant', parts: [{ ...called, id: callId, argumentsJson: '' }] },
      { role: 'user', parts: [{ kind: 'tool-result', callId, content: [], isError: true }] },
    ]
    const [toolUse, toolResult] = blocksOf(body({ turns }))
    const id = at(toolUse, 'toolUse', 'toolUseId')
    expect(id).toMatch(/^[\w-]{1,64}$/)
    expect(toolUse).toEqual({ toolUse: { toolUseId: id, name: 'get_weather', input: {} } })
    expect(toolResult).toEqual({ toolResult: { toolUseId: id, content: [], status: 'error' } })
  })
})

describe('media for Converse', () => {
  it('go as bytes with a format, documents with a name of their own', () => {
    const pdf = { kind: 'data', mediaType: 'application/pdf', base64: 'AA==' } as const
    const parts: Part[] = [
      { kind: 'image', source: { kind: 'data', mediaType: 'image/jpg', base64: 'AA==' } },
      { kind: 'file', source: pdf, filename: 'Q3 report_v1.2.pdf' },
      { kind: 'file', source: pdf, filename: 'Q3 report v1/2.pdf' },
      { kind: 'file', source: { ...pdf, mediaType: 'text/x-python; charset=utf-8' } },
      { kind: 'file', source: { ...pdf, mediaType: 'image/webp' } },
      { kind: 'video', source: { kind: 'url', url: 's3://bucket/film.mp4' } },
      { kind: 'audio', base64: 'AA==', format: 'mp3' },
    ]
    const source = { bytes: 'AA==' }
    expect(blocksOf(body({ turns: [{ role: 'user', parts }] }))).toEqual([
      { image: { format: 'jpeg', source } },
      { document: { format: 'pdf', name: 'Q3 report v1 2', source } },
      { document: { format: 'pdf', name: 'Q3 report v1 2 2', source } },
      { document: { format: 'txt', name: 'document', source } },
      { image: { format: 'webp', source } },
      { video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/film.mp4' } } } },
      { audio: { format: 'mp3', source } },
    ])
  })

  it.each([
    { kind: 'url', url: 'https://example.com/cat.png' } as const,
    { kind: 'data', mediaType: 'image/tiff', base64: 'AA==' } as const,
  ])('are refused where they can not be sent: $kind', (source) => {
    expect(() => body({ turns: [{ role: 'user', parts: [{ kind: 'image', source }] }] })).toThrow(GatewayError)
  })
})

describe('tools for Converse', () => {
  it.each([
    [null, undefined],
    [{ kind: 'auto' } as const, { auto: {} }],
    [{ kind: 'required' } as const, { any: {} }],
    [{ kind: 'tool', name: 'get_weather' } as const, { tool: { name: 'get_weather' } }],
  ])('are sent with the choice %j', (toolChoice, expected) => {
    const { toolConfig } = body({ tools: [{ ...weather, strict: true }], toolChoice })
    const { name, description, parameters } = weather
    const toolSpec = { name, description, inputSchema: { json: parameters }, strict: true }
    expect(toolConfig).toEqual({ tools: [{ toolSpec }], ...(expected === undefined ? {} : { toolChoice: expected }) })
  })

  it('are left out when forbidden, unless the history needs them', () => {
    const toolChoice = { kind: 'none' } as const
    expect(body({ tools: [weather], toolChoice }).toolConfig).toBeUndefined()
    const needed = request({ tools: [weather], toolChoice, turns: toolHistory })
    expect(parsed(needed).toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'get_weather' } }] })
    expect(at(parsed(needed), 'toolConfig', 'toolChoice')).toBeUndefined()
    expect(needed.ignored).toEqual(['tool_choice'])
  })

  it('are made up from a history that has tools, when the client sends none', () => {
    expect(body({ turns: toolHistory }).toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'get_weather', inputSchema: { json: { type: 'object' } } } }],
    })
    expect(body({ turns: [{ role: 'user', parts: [told] }] }).toolConfig).toMatchObject({ tools: [{}] })
  })
})

describe('thinking for Converse', () => {
  it.each(['reasoningThenTools', 'redacted', 'signatureOnly'] as const)(
    '[P17] returns byte for byte in the second turn: %s',
    (name) => {
      const answer = bedrockBody(bedrockAnswers[name])
      const first = readDocument(Buffer.from(JSON.stringify(answer)))
      assert(first.ok, 'the document is an answer')
      const parts = first.reply.choices[0]?.parts ?? []
      const sent = body({ turns: [hi, { role: 'assistant', parts }, { role: 'user', parts: [told] }] })
      const content = at(sent, 'messages', 1, 'content')
      expect(content).toEqual(at(JSON.parse(JSON.stringify(answer)), 'output', 'message', 'content'))
      const text = JSON.stringify(content)
      expect(text.includes(thinkingSignature) || text.includes(redactedThinking)).toBe(true)
    },
  )

  it('stays away from those who can not read it', () => {
    const parts: Part[] = [
      { kind: 'reasoning', text: 'a', signature: 's', format: 'google' },
      { kind: 'reasoning', text: 'b', format: 'anthropic' },
      { kind: 'opaque', protocol: 'gemini', value: { x: 1 } },
      { kind: 'opaque', protocol: 'bedrock', value: { y: 1 } },
    ]
    expect(blocksOf(body({ turns: [{ role: 'assistant', parts }] }))).toEqual([{ y: 1 }])
    const signed: Part = { kind: 'reasoning', text: 'c', signature: 's', format: 'anthropic' }
    const turns: Turn[] = [{ role: 'assistant', parts: [signed, { kind: 'text', text: 'd' }] }]
    expect(blocksOf(body({ turns }, llama))).toEqual([{ text: 'd' }])
  })

  it('has a budget below the output cap, or an effort, and no sampling beside it', () => {
    const sampling = { temperature: 0.5, topK: 3 }
    const thinking = request({ reasoning: { effort: 'high' }, maxTokens: 4_000, sampling })
    expect(parsed(thinking)).toMatchObject({
      inferenceConfig: { maxTokens: 4_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 3_999 } },
    })
    expect(at(parsed(thinking), 'inferenceConfig', 'temperature')).toBeUndefined()
    expect(thinking.ignored).toEqual(['temperature', 'top_k'])
    expect(body({ reasoning: { effort: 'high' } }, claudeAdaptive).additionalModelRequestFields).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    })
    const older = body({ reasoning: { budgetTokens: 2_000 } }, 'anthropic.claude-sonnet-4-20250514-v1:0')
    expect(older.additionalModelRequestFields).toEqual({ thinking: { type: 'enabled', budget_tokens: 2_000 } })
  })

  it('[W1] [W2] [W12] is told as this release of Claude takes it, and so is sampling', () => {
    const sampling = { temperature: 0.5, topP: 0.9, topK: 3 }
    const late = request({ sampling }, claudeAdaptive)
    expect(parsed(late)).not.toHaveProperty('inferenceConfig')
    expect(parsed(late)).not.toHaveProperty('additionalModelRequestFields')
    expect(late.ignored).toEqual(['temperature', 'top_p', 'top_k'])
    const either = request({ sampling }, claude)
    expect(parsed(either)).toMatchObject({
      inferenceConfig: { temperature: 0.5 },
      additionalModelRequestFields: { top_k: 3 },
    })
    expect(at(parsed(either), 'inferenceConfig', 'topP')).toBeUndefined()
    expect(either.ignored).toEqual(['top_p'])
    const thinking = { type: 'enabled', budget_tokens: 20_000 }
    expect(body({ extras: { thinking } }, claudeAdaptive).additionalModelRequestFields).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    })
    const restless = request({ extras: { thinking: { type: 'disabled' } } }, 'anthropic.claude-opus-5-5-v1:0')
    expect(parsed(restless)).not.toHaveProperty('additionalModelRequestFields')
    expect(restless.ignored).toEqual(['thinking'])
    const free = request(
      { tools: [weather], toolChoice: { kind: 'required' }, reasoning: { effort: 'low' } },
      'anthropic.claude-opus-5-5-v1:0',
    )
    expect(at(parsed(free), 'toolConfig', 'toolChoice')).toEqual({ auto: {} })
    expect(free.ignored).toEqual(['tool_choice'])
  })

  it.each([
    ['with a cap below any budget', { maxTokens: 500 }, claude],
    ['with a forced tool', { tools: [weather], toolChoice: { kind: 'required' } as const }, claude],
    ['with a model that has another way', {}, llama],
  ])('is left out %s, and said to be', (_, part, model) => {
    const without = request({ reasoning: { effort: 'low' }, ...part }, model)
    expect(parsed(without).additionalModelRequestFields).toBeUndefined()
    expect(without.ignored).toEqual(['reasoning'])
  })

  it('is heard in whatever field the client used', () => {
    const extras = { reasoning: { effort: 'low' }, enable_thinking: true }
    expect(request({ reasoning: { effort: 'low' }, extras }, claude).ignored).toEqual([])
    expect(request({ reasoning: { effort: 'low' }, extras }, llama).ignored).toEqual(['reasoning'])
  })

  it('is not asked for when nobody wants it', () => {
    for (const reasoning of [{ enabled: false }, { effort: 'none' }, { exclude: true }]) {
      expect(request({ reasoning })).toEqual(request({}))
    }
  })
})

describe('everything else for Converse', () => {
  it('sets cache points behind what was marked, where the model has a cache', () => {
    const cache = { type: 'ephemeral', ttl: '1h' }
    const call: Partial<CanonicalCall> = {
      system: [{ kind: 'text', text: 'Long.', cache: { type: 'ephemeral' } }],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi', cache }] }],
      tools: [{ ...weather, cache }],
    }
    const long = { cachePoint: { type: 'default', ttl: '1h' } }
    expect(body(call)).toMatchObject({
      system: [{ text: 'Long.' }, { cachePoint: { type: 'default' } }],
      messages: [{ content: [{ text: 'Hi' }, long] }],
      toolConfig: { tools: [{ toolSpec: {} }, long] },
    })
    expect(blocksOf(body(call, nova))).toEqual([{ text: 'Hi' }, { cachePoint: { type: 'default' } }])
    expect(request(call, llama).body).not.toContain('cachePoint')
    expect(request(call, llama).ignored).toEqual(['cache_control'])
  })

  it('asks for a schema in the way that Converse has', () => {
    const schema = { type: 'object', additionalProperties: false }
    expect(body({ responseFormat: { kind: 'schema', name: 'place', schema } }).outputConfig).toEqual({
      textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'place', schema: JSON.stringify(schema) } } },
    })
    expect(request({ responseFormat: { kind: 'json' } }).ignored).toEqual(['response_format'])
  })

  it('takes the fields it knows by name and names those it can not tell', () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' }
    const extras = { guardrailConfig, thinking: { type: 'enabled', budget_tokens: 1_024 }, logit_bias: {} }
    const sent = request({ extras, choiceCount: 2, endUser: 'u', sampling: { seed: 1, minP: 0.1 } })
    expect(parsed(sent)).toMatchObject({
      guardrailConfig,
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    })
    expect(sent.ignored).toEqual(['min_p', 'seed', 'n', 'user', 'logit_bias'])
  })
})

function request(
  part: Partial<CanonicalCall>,
  upstreamModel = claude,
  baseUrl = defaultBaseUrl,
  model?: string,
): ProtocolRequest {
  const named = model === undefined ? {} : { model }
  const target = { vendor: amazonBedrock, baseUrl, credential: null, upstreamModel, openAiFamily: false, ...named }
  return buildRequest({ ...emptyCall, ...part }, target)
}

const defaultBaseUrl = 'https://bedrock-runtime.eu-north-1.amazonaws.com'

const emptyCall: CanonicalCall = { ...plainCall, turns: [hi] }

function body(part: Partial<CanonicalCall>, upstreamModel = claude): JsonObject {
  return parsed(request(part, upstreamModel))
}

function parsed({ body: text }: ProtocolRequest): JsonObject {
  const value: unknown = JSON.parse(text)
  assert(isJsonObject(value), 'the body is an object')
  return value
}

function blocksOf({ messages }: JsonObject): JsonValue[] {
  const list = Array.isArray(messages) ? messages : []
  return list.flatMap((message) => (isJsonObject(message) && Array.isArray(message.content) ? message.content : []))
}

function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((parent, key) => {
    if (Array.isArray(parent)) return parent[Number(key)]
    return isJsonObject(parent) ? parent[key] : undefined
  }, value)
}
