import { describe, expect, it } from 'vitest'
import type { CanonicalCall } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { codexRequest } from './fixtures/codex-request.ts'
import { responsesDialect } from './responses-dialect.ts'

function canonical(body: JsonObject): CanonicalCall {
  return responsesDialect.toCanonical(responsesDialect.parse({ model: 'm', input: 'Hello', ...body }))
}

describe('a Responses request in canonical form', () => {
  it('[P16] [RESP-07] [RESP-14] of Codex keeps its two parallel calls, its thoughts and only the tools that work', () => {
    const call = canonical(codexRequest)
    expect(call.system).toEqual([
      { kind: 'text', text: 'You are a coding agent.' },
      { kind: 'text', text: '<permissions>read-only</permissions>' },
    ])
    expect(call.turns).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: '<environment_context/>' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'List the files.' }] },
      {
        role: 'assistant',
        parts: [
          {
            kind: 'reasoning',
            text: '**Listing files**',
            isSummary: true,
            encrypted: 'gAAAAABo+/secret==',
            format: 'openai',
          },
          { kind: 'tool-call', id: 'call_1', name: 'shell', argumentsJson: '{"command":["ls"]}' },
          { kind: 'tool-call', id: 'call_2', name: 'shell', argumentsJson: '{"command":["pwd"]}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            kind: 'tool-result',
            callId: 'call_1',
            content: [{ kind: 'text', text: '{"output":"README.md\\n","metadata":{"exit_code":0}}' }],
          },
          { kind: 'tool-result', callId: 'call_2', content: [{ kind: 'text', text: '/home' }] },
        ],
      },
    ])
    expect(call.tools.map((tool) => tool.name)).toEqual(['shell', 'mcp__files__read', 'apply_patch'])
    expect(call).toMatchObject({
      toolChoice: { kind: 'auto' },
      parallelToolCalls: true,
      reasoning: { effort: 'medium', summary: 'auto' },
      stream: true,
      extras: { prompt_cache_key: '0199-cache', verbosity: 'low' },
    })
    expect(Object.keys(call.extras)).toEqual(['prompt_cache_key', 'verbosity'])
  })

  it('reads text, pictures, files, refusals and sound', () => {
    const call = canonical({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look', cache_control: { type: 'ephemeral' } },
            { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
            { type: 'input_image', image_url: 'DATA:image/PNG;base64,iVBORw0KGgoA' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
            { type: 'input_file', file_url: 'https://example.com/a.pdf' },
            { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'No.' },
            { type: 'refusal', refusal: 'I will not.' },
          ],
        },
      ],
    })
    expect(call.turns).toEqual([
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'Look', cache: { type: 'ephemeral' } },
          { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.png' }, detail: 'low' },
          { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'iVBORw0KGgoA' } },
          {
            kind: 'file',
            source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBE' },
            filename: 'a.pdf',
          },
          { kind: 'file', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
          { kind: 'audio', base64: 'UklG', format: 'mp3' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: 'No.' },
          { kind: 'refusal', text: 'I will not.' },
        ],
      },
    ])
  })

  it('leaves instructions in mid-conversation where they are', () => {
    const input = [
      { role: 'system', content: 'A' },
      { role: 'user', content: 'B' },
      { role: 'developer', content: 'C' },
    ]
    const call = canonical({ input })
    expect(call.system).toEqual([{ kind: 'text', text: 'A' }])
    expect(call.turns.map((turn) => turn.role)).toEqual(['user', 'system'])
  })

  it('[RESP-06] [RESP-07] [RESP-09] takes tools flat and nested, and forgets a choice of a tool that was dropped', () => {
    const tools = [
      { type: 'function', name: 'flat', parameters: { type: 'object' }, strict: true },
      { type: 'function', function: { name: 'nested', description: 'D', parameters: null } },
      { type: 'web_search_preview' },
    ]
    expect(canonical({ tools }).tools).toEqual([
      { name: 'flat', parameters: { type: 'object' }, strict: true },
      { name: 'nested', description: 'D', parameters: { type: 'object', properties: {} } },
    ])
    const choiceOf = (tool_choice: JsonObject | string): unknown => canonical({ tools, tool_choice }).toolChoice
    expect(choiceOf('required')).toEqual({ kind: 'required' })
    expect(choiceOf({ type: 'auto' })).toEqual({ kind: 'auto' })
    expect(choiceOf({ type: 'function', name: 'flat' })).toEqual({ kind: 'tool', name: 'flat' })
    expect(choiceOf({ type: 'function', function: { name: 'nested' } })).toEqual({ kind: 'tool', name: 'nested' })
    expect(choiceOf({ type: 'web_search_preview' })).toBeNull()
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'nested' }] }
    expect(canonical({ tools, tool_choice: allowed })).toMatchObject({
      toolChoice: { kind: 'required' },
      tools: [{ name: 'nested' }],
    })
    const hosted = canonical({ tools: [{ type: 'web_search' }], tool_choice: 'required', parallel_tool_calls: true })
    expect(hosted).toMatchObject({ tools: [], toolChoice: null, parallelToolCalls: null })
  })

  it('[RESP-09] finds the wanted format in either field', () => {
    const schema = { type: 'object' }
    const wanted = { kind: 'schema', name: 'n', schema, strict: true }
    const flat = { type: 'json_schema', name: 'n', schema, strict: true }
    expect(canonical({ text: { format: flat } }).responseFormat).toEqual(wanted)
    const nested = { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } }
    expect(canonical({ response_format: nested }).responseFormat).toEqual(wanted)
    expect(canonical({ response_format: { type: 'json_object' } }).responseFormat).toEqual({ kind: 'json' })
    expect(canonical({ text: { format: { type: 'text' } } }).responseFormat).toBeNull()
  })

  it('[RESP-08] [RESP-11] carries what has no place as extras, and what needs a store nowhere', () => {
    const kept = { models: ['a'], transforms: [], provider: { sort: 'price' }, plugins: [{ id: 'web' }], strange: 1 }
    const call = canonical({ ...kept, background: true, truncation: 'auto', store: false, metadata: {}, top_p: 0.5 })
    expect(call.extras).toEqual(kept)
    expect(call.sampling).toEqual({ topP: 0.5 })
  })

  it('cannot be made to carry a prototype', () => {
    const body = JSON.parse('{"__proto__":{"stream":true},"kept":1}')
    expect(Object.getPrototypeOf(canonical(body).extras)).toBe(Object.prototype)
    expect(canonical(body).extras).toEqual({ kept: 1 })
  })

  it('hears that no reasoning is wanted', () => {
    expect(canonical({ reasoning: { effort: 'none' } }).reasoning).toEqual({ enabled: false, effort: 'none' })
    expect(canonical({ reasoning: {} }).reasoning).toBeNull()
  })
})
