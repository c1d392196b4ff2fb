import { describe, expect, it } from 'vitest'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseMessages } from './parse-messages.ts'
import { toCanonical } from './to-canonical.ts'

function canonical(change: JsonObject): CanonicalCall {
  const plain = { model: 'maker/model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
  return toCanonical(parseMessages({ ...plain, ...change }))
}

function partsOf(content: JsonObject[], role = 'user'): unknown {
  return canonical({ messages: [{ role, content }] }).turns[0]?.parts
}

const mark = { type: 'ephemeral', ttl: '1h' }

it('a plain request says nothing more than it said', () => {
  expect(canonical({})).toEqual({
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxTokens: 100,
    choiceCount: 1,
    sampling: {},
    reasoning: null,
    responseFormat: null,
    stream: false,
    endUser: null,
    extras: {},
  })
})

describe('content', () => {
  it('keeps cache marks as they were sent', () => {
    const block = { type: 'text', text: 'Long.', cache_control: mark }
    expect(canonical({ system: [block, { type: 'text', text: 'B' }] }).system).toEqual([
      { kind: 'text', text: 'Long.', cache: mark },
      { kind: 'text', text: 'B' },
    ])
    expect(canonical({ system: 'Be brief.' }).system).toEqual([{ kind: 'text', text: 'Be brief.' }])
    expect(partsOf([block])).toEqual([{ kind: 'text', text: 'Long.', cache: mark }])
  })

  it('knows images and documents from URLs and data', () => {
    const data = { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }
    const link = { type: 'url', url: 'https://example.com/a.png' }
    expect(
      partsOf([
        { type: 'image', source: link },
        { type: 'image', source: { ...data, media_type: 'image/png' }, cache_control: mark },
        { type: 'document', source: data, title: 'a.pdf' },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain.' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Inside.' }] } },
      ]),
    ).toEqual([
      { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'aGk=' }, cache: mark },
      { kind: 'file', source: { kind: 'data', mediaType: 'application/pdf', base64: 'aGk=' }, filename: 'a.pdf' },
      { kind: 'text', text: 'Plain.' },
      { kind: 'text', text: 'Inside.' },
    ])
  })

  it('keeps calls and results together, with errors and media', () => {
    expect(partsOf([{ type: 'tool_use', id: 'toolu_1', name: 'get', input: { a: [1] } }], 'assistant')).toEqual([
      { kind: 'tool-call', id: 'toolu_1', name: 'get', argumentsJson: '{"a":[1]}' },
    ])
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
    expect(
      partsOf([
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Failed.', is_error: true, cache_control: mark },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'See.' }, image] },
        { type: 'tool_result', tool_use_id: 'toolu_3', content: [{ type: 'tool_reference', name: 'x' }] },
        { type: 'tool_result', tool_use_id: 'toolu_4' },
      ]),
    ).toEqual([
      {
        kind: 'tool-result',
        callId: 'toolu_1',
        content: [{ kind: 'text', text: 'Failed.' }],
        isError: true,
        cache: mark,
      },
      {
        kind: 'tool-result',
        callId: 'toolu_2',
        content: [
          { kind: 'text', text: 'See.' },
          { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'aGk=' } },
        ],
      },
      {
        kind: 'tool-result',
        callId: 'toolu_3',
        content: [{ kind: 'text', text: '{"type":"tool_reference","name":"x"}' }],
      },
      { kind: 'tool-result', callId: 'toolu_4', content: [] },
    ])
  })

  it('takes unsigned thinking for nobody’s, and unknown blocks for Anthropic’s', () => {
    const unknown = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const stored = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
    expect(partsOf([{ type: 'thinking', thinking: 'Hm', signature: '' }, unknown, stored], 'assistant')).toEqual([
      { kind: 'reasoning', text: 'Hm', format: 'unknown' },
      { kind: 'opaque', protocol: 'anthropic', value: unknown },
      { kind: 'opaque', protocol: 'anthropic', value: stored },
    ])
  })
})

describe('settings', () => {
  it('keep tools of the client apart from those that an upstream runs', () => {
    const search = { type: 'web_search_20260209', name: 'web_search', max_uses: 3 }
    const get = { name: 'get', description: 'Gets.', input_schema: { type: 'object' }, cache_control: mark }
    const { tools, extras } = canonical({ tools: [get, search], context_management: { edits: [] } })
    expect(tools).toEqual([{ name: 'get', description: 'Gets.', parameters: { type: 'object' }, cache: mark }])
    expect(extras).toEqual({ tools: [search], context_management: { edits: [] } })
  })

  it.each<[JsonObject, unknown, boolean | null]>([
    [{ type: 'auto' }, { kind: 'auto' }, null],
    [{ type: 'any', disable_parallel_tool_use: true }, { kind: 'required' }, false],
    [{ type: 'tool', name: 'get', disable_parallel_tool_use: false }, { kind: 'tool', name: 'get' }, true],
    [{ type: 'none' }, { kind: 'none' }, null],
    [{ type: 'whatever' }, null, null],
  ])('tool choice %j', (choice, kind, parallel) => {
    const call = canonical({ tool_choice: choice })
    expect([call.toolChoice, call.parallelToolCalls]).toEqual([kind, parallel])
  })

  it.each<[JsonObject, unknown]>([
    [{ thinking: { type: 'enabled', budget_tokens: 2_048 } }, { enabled: true, budgetTokens: 2_048 }],
    [{ thinking: { type: 'disabled' } }, { enabled: false }],
    [
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'max' } },
      { enabled: true, effort: 'max', exclude: true },
    ],
    [{ output_config: { effort: 'low' } }, { effort: 'low' }],
  ])('reasoning %j', (change, wish) => {
    expect(canonical(change).reasoning).toEqual(wish)
  })

  it('carry sampling, the end user and the form of the answer', () => {
    const schema = { type: 'object', properties: {} }
    expect(
      canonical({
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        stop_sequences: ['END'],
        metadata: { user_id: 'u-1' },
        output_config: { format: { type: 'json_schema', schema } },
      }),
    ).toMatchObject({
      sampling: { temperature: 0.5, topP: 0.9, topK: 40, stop: ['END'] },
      endUser: 'u-1',
      responseFormat: { kind: 'schema', schema },
      extras: {},
    })
  })
})
