import { describe, expect, it } from 'vitest'
import type { CanonicalCall, ReasoningWish } from '#domain/inference/call.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { chatDialect } from './chat-dialect.ts'

function canonical(fields: JsonObject): CanonicalCall {
  const body = { model: 'maker/model', messages: [{ role: 'user', content: 'Hi' }], ...fields }
  return chatDialect.toCanonical(chatDialect.parse(body))
}

function turns(...messages: JsonValue[]): CanonicalCall['turns'] {
  return canonical({ messages: [{ role: 'user', content: 'Hi' }, ...messages] }).turns.slice(1)
}

function data(mediaType: string): JsonObject {
  return { kind: 'data', mediaType, base64: 'AA==' }
}

function call(id: string): JsonObject {
  return { id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
}

/** A tool call and its result. */
function step(id: string): JsonObject[] {
  return [
    { role: 'assistant', content: null, tool_calls: [call(id)] },
    { role: 'tool', tool_call_id: id, content: id },
  ]
}

describe('messages', () => {
  it('lead with instructions, which later keep their place', () => {
    const { system, turns: said } = canonical({
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: [{ type: 'text', text: 'B', cache_control: { type: 'ephemeral' } }] },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'C' },
      ],
    })
    expect(system).toEqual([
      { kind: 'text', text: 'A' },
      { kind: 'text', text: 'B', cache: { type: 'ephemeral' } },
    ])
    expect(said).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'system', parts: [{ kind: 'text', text: 'C' }] },
    ])
  })

  it('hold every kind of part, and those that only some hosts read', () => {
    const odd = { type: 'thinking', thinking: [] }
    const [turn] = turns({
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
        { type: 'file', file: { file_id: 'file_1' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'video_url', video_url: { url: 'https://a.example/b.mp4' } },
        odd,
      ],
    })
    expect(turn?.parts).toEqual([
      { kind: 'text', text: 'See' },
      { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'iVBORw0KGgo=' }, detail: 'low' },
      { kind: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } },
      { kind: 'file', source: data('application/pdf'), filename: 'a.pdf' },
      { kind: 'opaque', protocol: 'openai', value: { type: 'file', file: { file_id: 'file_1' } } },
      { kind: 'audio', base64: 'AA==', format: 'wav' },
      { kind: 'video', source: { kind: 'url', url: 'https://a.example/b.mp4' } },
      { kind: 'opaque', protocol: 'openai', value: odd },
    ])
  })

  it('[P16] have results of tools that follow each other in one turn', () => {
    const [calls, results, next] = turns(
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }], cache_control: { type: 'ephemeral' } },
      { role: 'user', content: 'Go on' },
    )
    expect(calls?.parts).toEqual([
      { kind: 'tool-call', id: 'a', name: 'f', argumentsJson: '{"a":1}' },
      { kind: 'tool-call', id: 'b', name: 'f', argumentsJson: '{"a":1}' },
    ])
    expect(results).toEqual({
      role: 'user',
      parts: [
        { kind: 'tool-result', callId: 'a', content: [{ kind: 'text', text: '1' }] },
        { kind: 'tool-result', callId: 'b', content: [{ kind: 'text', text: '2' }], cache: { type: 'ephemeral' } },
      ],
    })
    expect(next?.parts).toEqual([{ kind: 'text', text: 'Go on' }])
  })
})

it('[P16] results of one step stay apart from those of the next', () => {
  const said = turns(...step('a'), ...step('b'))
  expect(said.map(({ role, parts }) => `${role} ${parts.length}`)).toEqual([
    'assistant 1',
    'user 1',
    'assistant 1',
    'user 1',
  ])
})

describe('thinking that a client sends back', () => {
  it('[REASON-09] [P17] keeps its signature, its maker and its blocks', () => {
    const format = 'anthropic-claude-v1'
    const [turn] = turns({
      role: 'assistant',
      content: 'So',
      reasoning: 'ab',
      reasoning_details: [
        { type: 'reasoning.text', text: 'a', signature: 'sig+/=', format, index: 0 },
        { type: 'reasoning.text', text: 'b', format: 'odd', index: 0 },
        { type: 'reasoning.encrypted', data: 'xyz', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
        { type: 'reasoning.summary', summary: 's', format: 'google-gemini-v1', index: 2 },
      ],
    })
    expect(turn?.parts).toEqual([
      { kind: 'reasoning', text: 'a', signature: 'sig+/=', format: 'anthropic' },
      { kind: 'reasoning', text: 'b', format: 'unknown' },
      { kind: 'reasoning', text: '', encrypted: 'xyz', id: 'rs_1', format: 'openai' },
      { kind: 'reasoning', text: 's', isSummary: true, format: 'google' },
      { kind: 'text', text: 'So' },
    ])
  })

  it('[P17] is one block where the client kept every delta', () => {
    const format = 'anthropic-claude-v1'
    const [turn] = turns({
      role: 'assistant',
      content: '',
      reasoning_details: [
        { type: 'reasoning.text', text: 'a', format, index: 0 },
        { type: 'reasoning.text', text: 'b', format, index: 0 },
        { type: 'reasoning.text', signature: 'sig', format, index: 0 },
        { type: 'reasoning.text', text: 'c', format, index: 1 },
      ],
    })
    expect(turn?.parts).toEqual([
      { kind: 'reasoning', text: 'ab', signature: 'sig', format: 'anthropic' },
      { kind: 'reasoning', text: 'c', format: 'anthropic' },
    ])
  })

  it.each(['reasoning', 'reasoning_content'])('is read from %s where there are no details', (name) => {
    const [turn] = turns({ role: 'assistant', content: 'So', [name]: 'Hm' })
    expect(turn?.parts[0]).toEqual({ kind: 'reasoning', text: 'Hm', format: 'unknown' })
  })

  it.each([
    ['the call itself', { extra_content: { google: { thought_signature: 'sig' } } }, []],
    ['a detail', {}, [{ type: 'reasoning.encrypted', data: 'sig', id: 'a', format: 'google-gemini-v1' }]],
    [
      'both',
      { extra_content: { google: { thought_signature: 'sig' } } },
      [{ type: 'reasoning.encrypted', data: 'sig', id: 'a', format: 'google-gemini-v1' }],
    ],
  ])('[P17] signs a call, from %s', (_place, members, details) => {
    const calls = [{ ...call('a'), ...members }]
    const [turn] = turns({ role: 'assistant', content: null, tool_calls: calls, reasoning_details: details })
    expect(turn?.parts).toEqual([{ kind: 'tool-call', id: 'a', name: 'f', argumentsJson: '{"a":1}', signature: 'sig' }])
  })
})

describe('settings', () => {
  it('[TOOL-01] [SCHEMA-02] have tools, choice and format', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } }
    const schema = { type: 'object' }
    const read = canonical({
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } },
        { type: 'custom', custom: { name: 'c' } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', strict: false, schema } },
    })
    expect(read).toMatchObject({
      tools: [{ name: 'f', description: 'd', parameters, strict: true }],
      toolChoice: { kind: 'tool', name: 'f' },
      responseFormat: { kind: 'schema', name: 'n', strict: false, schema },
      extras: { tools: [{ type: 'custom', custom: { name: 'c' } }] },
    })
  })

  it('keep a choice and a format that are not known where they were', () => {
    const fields = { tool_choice: { type: 'allowed_tools' }, response_format: { type: 'grammar', grammar: 'x' } }
    expect(canonical(fields)).toMatchObject({ toolChoice: null, responseFormat: null, extras: fields })
    expect(canonical({ response_format: { type: 'text' } })).toMatchObject({ responseFormat: null, extras: {} })
  })

  it.each<[JsonObject, ReasoningWish | null]>([
    [{}, null],
    [{ reasoning: {} }, null],
    [{ reasoning_effort: 'low' }, { effort: 'low' }],
    [{ reasoning: { effort: 'xhigh', exclude: true } }, { effort: 'xhigh', exclude: true }],
    [{ reasoning: { effort: 'none' } }, { effort: 'none', enabled: false }],
    [{ reasoning: { max_tokens: 2000, enabled: true } }, { budgetTokens: 2000, enabled: true }],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { enabled: true, budgetTokens: 1024 }],
    [{ thinking: { type: 'disabled' } }, { enabled: false }],
    [{ enable_thinking: false }, { enabled: false }],
  ])('[REASON-02] [REASON-04] understand the wish %j', (fields, wish) => {
    expect(canonical(fields).reasoning).toEqual(wish)
    expect(canonical(fields).extras).toEqual(fields)
  })
})
