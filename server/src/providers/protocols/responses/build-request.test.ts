import { describe, expect, it } from 'vitest'
import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { azure } from '#providers/vendors/azure/index.ts'
import { openai } from '#providers/vendors/openai/index.ts'
import { xai } from '#providers/vendors/xai/index.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { buildResponsesRequest } from './build-request.ts'

assert(openai.onResponses !== undefined && azure.onResponses !== undefined && xai.onResponses !== undefined, 'all do')
const target: Target = {
  vendor: openai.onResponses,
  baseUrl: null,
  credential: 'sk-x',
  upstreamModel: 'gpt-5-pro',
  openAiFamily: true,
}
const grok: Partial<Target> = { vendor: xai.onResponses, upstreamModel: 'grok-4.3', openAiFamily: false }

function build(call: Partial<CanonicalCall>, where: Partial<Target> = {}) {
  const plain = { ...plainCall, turns: [turn('user', text('Question'))] }
  const request = buildResponsesRequest({ ...plain, ...call }, { ...target, ...where })
  return { ...request, body: parseJsonObject(request.body) ?? {} }
}

function turn(role: Turn['role'], ...parts: Part[]): Turn {
  return { role, parts }
}

function inputOf(...turns: Turn[]): unknown {
  return build({ turns }).body.input
}

const text = (words: string): Part => ({ kind: 'text', text: words })
const schema = { type: 'object', properties: { city: { type: 'string' } } }

describe('the address of a request', () => {
  it('is the vendor’s, with its key', () => {
    const { origin, path, headers, ignored } = build({})
    expect(origin + path).toBe('https://api.openai.com/v1/responses')
    expect(headers).toMatchObject({ authorization: 'Bearer sk-x', accept: 'application/json' })
    expect(ignored).toEqual([])
  })

  it('is the operator’s where there is one', () => {
    const baseUrl = 'https://acme.openai.azure.com/openai/v1'
    const { origin, path, headers } = build(
      { stream: true },
      { ...(azure.onResponses ? { vendor: azure.onResponses } : {}), baseUrl },
    )
    expect(origin + path).toBe(`${baseUrl}/responses`)
    expect(headers).toMatchObject({ 'api-key': 'sk-x', accept: 'text/event-stream' })
  })
})

describe('what every request says', () => {
  it('keeps nothing stored, so that thoughts are asked for encrypted', () => {
    expect(build({}).body).toEqual({
      model: 'gpt-5-pro',
      input: [{ role: 'user', content: 'Question' }],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: false,
    })
  })

  it('does not ask for thoughts where the model has none', () => {
    expect(build({ reasoning: { effort: 'high' } }, { upstreamModel: 'gpt-4o' }).body).toEqual({
      model: 'gpt-4o',
      input: [{ role: 'user', content: 'Question' }],
      store: false,
      stream: false,
    })
    const deployed = build({}, { upstreamModel: 'prod-1', model: 'openai/o3-pro' })
    expect(deployed.body.include).toEqual(['reasoning.encrypted_content'])
  })

  it.each([
    [100, 100, []],
    [16, 16, []],
    [15, 16, ['max_tokens']],
    [1, 16, ['max_tokens']],
  ])('tells a cap of %s as %s, since less than sixteen is refused', (maxTokens, told, names) => {
    const { body, ignored } = build({ maxTokens })
    expect([body.max_output_tokens, ignored]).toEqual([told, names])
  })

  it('tells xAI a cap as it is', () => {
    expect(build({ maxTokens: 1 }, grok)).toMatchObject({ body: { max_output_tokens: 1 }, ignored: [] })
  })
})

describe('the conversation', () => {
  it('has leading instructions beside it, and later ones in their place', () => {
    const system = [{ kind: 'text', text: 'One.' } as const, { kind: 'text', text: 'Two.' } as const]
    const { body } = build({ system, turns: [turn('user', text('A')), turn('system', text('B'))] })
    expect(body).toMatchObject({
      instructions: 'One.\n\nTwo.',
      input: [
        { role: 'user', content: 'A' },
        { role: 'system', content: 'B' },
      ],
    })
  })

  it('shows images and files, as data or by their address', () => {
    const data = { kind: 'data', mediaType: 'image/png', base64: 'aGk=' } as const
    const pdf = { kind: 'data', mediaType: 'application/pdf', base64: 'aGk=' } as const
    const url = 'https://x.example/a'
    const parts: Part[] = [
      { kind: 'image', source: data },
      { kind: 'image', source: { kind: 'url', url }, detail: 'low' },
      { kind: 'file', source: pdf, filename: 'b.pdf' },
      { kind: 'file', source: pdf },
      { kind: 'file', source: { kind: 'url', url }, filename: 'c.pdf' },
    ]
    expect(inputOf(turn('user', text('Look'), ...parts))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
          { type: 'input_image', image_url: url, detail: 'low' },
          { type: 'input_file', filename: 'b.pdf', file_data: 'data:application/pdf;base64,aGk=' },
          { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,aGk=' },
          { type: 'input_file', file_url: url },
        ],
      },
    ])
  })

  it('names what has no word here', () => {
    const heard: Part[] = [
      { kind: 'audio', base64: 'aGk=', format: 'wav' },
      { kind: 'video', source: { kind: 'url', url: 'https://x.example/a' } },
    ]
    const made: Part = { kind: 'image', source: { kind: 'url', url: 'https://x.example/a' } }
    const { body, ignored } = build({
      turns: [turn('user', ...heard), turn('assistant', made), turn('user', text('A'))],
    })
    expect(body.input).toEqual([{ role: 'user', content: 'A' }])
    expect(ignored).toEqual(['audio', 'video', 'image'])
  })

  it('has calls and their results as items, results first', () => {
    const called: Part = { kind: 'tool-call', id: 'c1', name: 'f', argumentsJson: '' }
    const image: Part = { kind: 'image', source: { kind: 'url', url: 'https://x.example/a' } }
    const results: Part[] = [
      { kind: 'tool-result', callId: 'c1', content: [{ kind: 'text', text: 'Rain' }] },
      { kind: 'tool-result', callId: 'c2', content: [] },
      { kind: 'tool-result', callId: 'c3', content: [{ kind: 'text', text: 'A' }, image] },
    ]
    expect(inputOf(turn('assistant', text('Look.'), called), turn('user', text('And?'), ...results))).toEqual([
      { role: 'assistant', content: 'Look.' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'Rain' },
      { type: 'function_call_output', call_id: 'c2', output: '' },
      {
        type: 'function_call_output',
        call_id: 'c3',
        output: [
          { type: 'input_text', text: 'A' },
          { type: 'input_image', image_url: 'https://x.example/a', detail: 'auto' },
        ],
      },
      { role: 'user', content: 'And?' },
    ])
  })

  it('keeps a refusal for what it was, and items that only this protocol knows as they came', () => {
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const said: Part[] = [
      { kind: 'refusal', text: 'No.' },
      { kind: 'opaque', protocol: 'responses', value: item },
      { kind: 'opaque', protocol: 'anthropic', value: { type: 'x' } },
    ]
    expect(inputOf(turn('assistant', ...said))).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      item,
    ])
  })
})

describe('earlier thoughts', () => {
  const sealed: Part = {
    kind: 'reasoning',
    text: 'Hm',
    isSummary: true,
    encrypted: 'gA+/',
    id: 'rs_1',
    format: 'openai',
  }
  const item = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Hm' }],
    encrypted_content: 'gA+/',
  }

  it('return with what their maker encrypted', () => {
    expect(inputOf(turn('assistant', sealed))).toEqual([item])
    const unseen: Part = { kind: 'reasoning', text: '', encrypted: 'gA+/', format: 'openai' }
    expect(inputOf(turn('assistant', unseen))).toEqual([{ type: 'reasoning', summary: [], encrypted_content: 'gA+/' }])
  })

  it('are put together where a client kept the summary apart', () => {
    const summary: Part = { kind: 'reasoning', text: 'Hm', isSummary: true, id: 'rs_1', format: 'openai' }
    const rest: Part = { kind: 'reasoning', text: '', encrypted: 'gA+/', id: 'rs_1', format: 'openai' }
    expect(inputOf(turn('assistant', summary, rest))).toEqual([item])
    const other: Part = { ...rest, id: 'rs_2' }
    expect(inputOf(turn('assistant', summary, other))).toEqual([{ ...item, id: 'rs_2', summary: [] }])
  })

  it('go to nobody who could not read them', () => {
    const parts: Part[] = [
      { kind: 'reasoning', text: 'Hm', isSummary: true, id: 'rs_1', format: 'openai' },
      { kind: 'reasoning', text: 'Hm', signature: 'c2ln', format: 'anthropic' },
      { kind: 'reasoning', text: '', encrypted: 'eA', format: 'grok' },
      { kind: 'reasoning', text: 'Hm', format: 'unknown' },
    ]
    expect(inputOf(turn('assistant', ...parts, text('A')))).toEqual([{ role: 'assistant', content: 'A' }])
    const { body } = build({ turns: [turn('assistant', sealed, ...parts)] }, grok)
    expect(body.input).toEqual([{ type: 'reasoning', summary: [], encrypted_content: 'eA' }])
  })
})

describe('tools', () => {
  const tools = [{ name: 'f', description: 'Does.', parameters: schema }]

  it('are not strict unless it is said', () => {
    const { body } = build({ tools: [...tools, { name: 'g', parameters: schema, strict: true }] })
    expect(body.tools).toEqual([
      { type: 'function', name: 'f', description: 'Does.', parameters: schema, strict: false },
      { type: 'function', name: 'g', parameters: schema, strict: true },
    ])
    expect(body).not.toHaveProperty('tool_choice')
    expect(body).not.toHaveProperty('parallel_tool_calls')
  })

  it.each([
    [{ kind: 'auto' }, 'auto'],
    [{ kind: 'none' }, 'none'],
    [{ kind: 'required' }, 'required'],
    [
      { kind: 'tool', name: 'f' },
      { type: 'function', name: 'f' },
    ],
  ] as const)('are chosen as %j', (toolChoice, told) => {
    const { body } = build({ tools, toolChoice, parallelToolCalls: false })
    expect(body).toMatchObject({ tool_choice: told, parallel_tool_calls: false })
  })

  it('are not chosen from where there are none', () => {
    const { body } = build({ toolChoice: { kind: 'required' }, parallelToolCalls: true })
    expect(Object.keys(body)).toEqual(['model', 'input', 'store', 'include', 'stream'])
  })
})

describe('the form of the answer', () => {
  it('lies flat in its text', () => {
    const wanted = { kind: 'schema', name: 'a', schema, strict: true, description: 'An a.' } as const
    const format = { type: 'json_schema', name: 'a', schema, strict: true, description: 'An a.' }
    expect(build({ responseFormat: wanted }).body.text).toEqual({ format })
    const bare = { kind: 'schema', name: 'a', schema } as const
    expect(build({ responseFormat: bare }).body.text).toEqual({ format: { type: 'json_schema', name: 'a', schema } })
    expect(build({ responseFormat: { kind: 'json' } }).body.text).toEqual({ format: { type: 'json_object' } })
  })

  it('may be wordy where the host knows that', () => {
    expect(build({ extras: { verbosity: 'low' } })).toMatchObject({ body: { text: { verbosity: 'low' } }, ignored: [] })
    const told = build({ extras: { verbosity: 'low' } }, grok)
    expect(told.body).not.toHaveProperty('text')
    expect(told.ignored).toEqual(['verbosity'])
  })
})

describe('a wish for thinking', () => {
  it.each([
    [{ effort: 'high' }, { effort: 'high', summary: 'auto' }],
    [
      { effort: 'low', summary: 'detailed' },
      { effort: 'low', summary: 'detailed' },
    ],
    [{ budgetTokens: 20_000 }, { effort: 'high', summary: 'auto' }],
    [{ enabled: true }, { summary: 'auto' }],
    [{ effort: 'high', exclude: true }, { effort: 'high' }],
    [{ enabled: false, effort: 'none' }, { effort: 'none' }],
  ])('of %j is said as %j', (reasoning, told) => {
    expect(build({ reasoning }).body.reasoning).toEqual(told)
  })

  it.each([[null], [{ enabled: false }], [{ enabled: false, budgetTokens: 5_000 }], [{ exclude: true }]])(
    'of %j is not said',
    (reasoning) => {
      expect(build({ reasoning }).body).not.toHaveProperty('reasoning')
    },
  )
})

describe('what else is asked for', () => {
  it('is told as far as the host knows it, and named where it does not', () => {
    const sampling = { temperature: 0.5, topP: 0.9, topK: 4, seed: 7, stop: ['x'], frequencyPenalty: 1 }
    const extras: JsonObject = {
      prompt_cache_key: 'k',
      logit_bias: {},
      top_logprobs: 3,
      service_tier: 'flex',
      route: 'a',
    }
    const asked = { sampling, extras, endUser: 'u', choiceCount: 2 }
    const plain = build(asked, { upstreamModel: 'gpt-4o' })
    expect(plain.body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      prompt_cache_key: 'k',
      service_tier: 'flex',
      user: 'u',
    })
    const lost = ['n', 'top_k', 'frequency_penalty', 'seed', 'stop', 'logit_bias', 'top_logprobs']
    expect([...plain.ignored].sort()).toEqual([...lost].sort())
    expect(Object.keys(plain.body).filter((field) => lost.includes(field))).toEqual([])
    expect(build({ sampling: { seed: 7 } }, grok).body).toMatchObject({ seed: 7 })
  })

  it('is no sampling while a model of OpenAI thinks', () => {
    const sampling = { temperature: 0.5, topP: 0.9 }
    const thinking = build({ sampling })
    expect(Object.keys(thinking.body)).not.toContain('temperature')
    expect(thinking.ignored).toEqual(['temperature', 'top_p'])
    const resting = build({ sampling, reasoning: { enabled: false, effort: 'none' } })
    expect(resting).toMatchObject({ body: { temperature: 0.5, top_p: 0.9 }, ignored: [] })
    expect(build({ sampling }, grok)).toMatchObject({ body: { temperature: 0.5, top_p: 0.9 }, ignored: [] })
  })
})

it.each([
  [false, undefined],
  [true, 'priority'],
])('is asked for ahead of others where that has a price (%s): %s', (pricesPriority, sent) => {
  const { body, ignored } = build(
    { extras: { service_tier: 'priority' } },
    { prices: { priority: pricesPriority, webSearch: true } },
  )
  expect(body.service_tier).toBe(sent)
  expect(ignored).toEqual(sent === undefined ? ['service_tier'] : [])
})
