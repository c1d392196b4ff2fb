import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { readItems } from './read-items.ts'

const text = (words: string) => ({ kind: 'text', text: words })
const turnsOf = (...items: JsonValue[]) => readItems(undefined, items).turns

describe('the items of a Responses request', () => {
  it.each<[JsonValue | undefined, unknown[]]>([
    ['Be brief.', [text('Be brief.')]],
    ['', []],
    [undefined, []],
    [5, []],
  ])('have the instructions %j as %j', (instructions, system) => {
    expect(readItems(instructions, 'Hello')).toEqual({ system, turns: [{ role: 'user', parts: [text('Hello')] }] })
  })

  it('keep what one side said in one go together, and separate messages apart', () => {
    const turns = turnsOf(
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
      { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'd' },
      { type: 'function_call_output', call_id: '2', output: 'e' },
      { role: 'user', content: 'f' },
      { type: 'function_call_output', call_id: '3', output: 'g' },
    )
    expect(turns).toStrictEqual([
      { role: 'user', parts: [text('a')] },
      { role: 'user', parts: [text('b')] },
      { role: 'assistant', parts: [text('c'), { kind: 'tool-call', id: '1', name: 'f', argumentsJson: '{}' }] },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: '1', content: [text('d')] },
          { kind: 'tool-result', callId: '2', content: [text('e')] },
        ],
      },
      { role: 'user', parts: [text('f')] },
      { role: 'user', parts: [{ kind: 'tool-result', callId: '3', content: [text('g')] }] },
    ])
  })

  it('have instructions at the beginning as the system prompt, by either role, without their images', () => {
    const image = { type: 'input_image', image_url: 'https://a.example/a.png' }
    const input = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: [{ type: 'input_text', text: 'b' }, image] },
      { role: 'user', content: 'c' },
      { role: 'developer', content: 'd' },
    ]
    expect(readItems('z', input)).toEqual({
      system: [text('z'), text('a'), text('b')],
      turns: [
        { role: 'user', parts: [text('c')] },
        { role: 'system', parts: [text('d')] },
      ],
    })
  })

  it.each<[JsonValue, unknown]>([
    [
      { type: 'message', role: 'critic', content: 'a' },
      { role: 'user', parts: [text('a')] },
    ],
    [
      { type: null, role: 'user', content: 'a' },
      { role: 'user', parts: [text('a')] },
    ],
    [
      { type: 'reasoning', id: 'rs_weir_1', summary: [{ type: 'summary_text', text: 'a' }] },
      { role: 'assistant', parts: [{ kind: 'reasoning', text: 'a', format: 'unknown' }] },
    ],
    [
      { type: 'function_call', call_id: '1', name: 'f', arguments: { a: 1 } },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: '1', name: 'f', argumentsJson: '{"a":1}' }] },
    ],
    [
      { type: 'function_call', arguments: null },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: '', name: '', argumentsJson: '' }] },
    ],
    [
      { type: 'function_call', call_id: '1', name: 'f' },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: '1', name: 'f', argumentsJson: '' }] },
    ],
    [
      { type: 'function_call', call_id: '1__weir_sig__c2lnbmVk', name: 'f', arguments: '{}' },
      {
        role: 'assistant',
        parts: [{ kind: 'tool-call', id: '1', signature: 'signed', name: 'f', argumentsJson: '{}' }],
      },
    ],
    [
      { type: 'custom_tool_call', call_id: '1', name: 'f', input: 'ls' },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: '1', name: 'f', argumentsJson: '{"input":"ls"}' }] },
    ],
    [
      { type: 'custom_tool_call', call_id: '1', name: 'f' },
      { role: 'assistant', parts: [{ kind: 'tool-call', id: '1', name: 'f', argumentsJson: '{"input":""}' }] },
    ],
    [
      { type: 'function_call_output', call_id: '1__weir_sig__c2lnbmVk', output: 'a' },
      { role: 'user', parts: [{ kind: 'tool-result', callId: '1', content: [text('a')] }] },
    ],
    [
      { type: 'custom_tool_call_output', output: '' },
      { role: 'user', parts: [{ kind: 'tool-result', callId: '', content: [] }] },
    ],
    [
      { type: 'image_generation_call', result: 'AAAA' },
      {
        role: 'assistant',
        parts: [{ kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } }],
      },
    ],
    [
      { type: 'image_generation_call', result: 'httpsAAAA', output_format: 'webp' },
      {
        role: 'assistant',
        parts: [{ kind: 'image', source: { kind: 'data', mediaType: 'image/webp', base64: 'httpsAAAA' } }],
      },
    ],
    [
      { type: 'image_generation_call', result: 'AAAA,https://a.example' },
      {
        role: 'assistant',
        parts: [{ kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA,https://a.example' } }],
      },
    ],
    ...['https://a.example/a.png', 'HTTP://a.example/a.png'].map((url): [JsonObject, unknown] => [
      { type: 'image_generation_call', result: url },
      { role: 'assistant', parts: [{ kind: 'image', source: { kind: 'url', url } }] },
    ]),
  ])('have %j as %j', (item, turn) => {
    expect(turnsOf(item)).toStrictEqual([turn])
  })

  it.each<JsonValue>([
    'Hello',
    null,
    { role: 'user', content: [] },
    { type: 'reasoning' },
    { type: 'image_generation_call' },
    { type: 'web_search_call', content: 'Hello' },
  ])('have nothing of %j', (item) => {
    expect(readItems(undefined, [item])).toEqual({ system: [], turns: [] })
  })
})
