import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { relayBody } from './relay-body.ts'
import { sealOpaque, sealReasoning } from './sealed-reasoning.ts'
import { signedCallId } from './signed-call-id.ts'

const relayed = (body: JsonObject): JsonObject => relayBody({ model: 'm', input: 'Hi', ...body }, 'openai')
const inputOf = (...input: JsonObject[]): unknown => relayed({ input }).input
const sealed = (encrypted: string): JsonObject => ({ type: 'reasoning', summary: [], encrypted_content: encrypted })
const tool = { type: 'function', name: 'f', parameters: { type: 'object' } }

describe('a body for a host of Responses', () => {
  it('is what its client wrote, and the client’s own is left alone', () => {
    const body = {
      model: 'm',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'something_new', a: 1 },
      ],
      tools: [tool, { type: 'custom', name: 'patch' }, { type: 'local_shell' }],
      tool_choice: 'auto',
      parallel_tool_calls: false,
      text: { format: { type: 'text' }, verbosity: 'low' },
      something_new: { b: 2 },
    }
    const before = structuredClone(body)
    expect(relayBody(body, 'openai')).toEqual(before)
    expect(body).toEqual(before)
    expect(relayed({})).toEqual({ model: 'm', input: 'Hi' })
  })

  it('has no memory in it', () => {
    const state = { previous_response_id: null, store: false, background: true, conversation: 'c', prompt: { id: 'p' } }
    expect(relayed({ ...state, client_metadata: { a: 'b' } })).toEqual({ model: 'm', input: 'Hi' })
  })

  it('says the form of the answer in the words of Responses', () => {
    const schema = { type: 'object' }
    const nested = { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } }
    const flat = { type: 'json_schema', name: 'a', schema, strict: true }
    expect(relayed({ response_format: nested, text: { verbosity: 'low' } }).text).toEqual({
      verbosity: 'low',
      format: flat,
    })
    expect(relayed({ response_format: { type: 'json_object' } }).text).toEqual({ format: { type: 'json_object' } })
    expect(relayed({ response_format: nested, text: { format: { type: 'text' } } }).text).toEqual({
      format: { type: 'text' },
    })
  })
})

describe('tools for a host of Responses', () => {
  it('lie flat, and are those that the client runs', () => {
    const nested = { type: 'function', function: { name: 'g', strict: true }, cache_control: { type: 'ephemeral' } }
    const hosted = [
      { type: 'web_search' },
      { type: 'mcp', server_url: 'https://x.example' },
      { type: 'code_interpreter' },
    ]
    expect(relayed({ tools: [nested, { ...tool, cache_control: {} }, ...hosted] }).tools).toEqual([
      { type: 'function', name: 'g', strict: true },
      tool,
    ])
  })

  it('are not there, nor chosen from, where none is left', () => {
    expect(relayed({ tools: [{ type: 'web_search' }], tool_choice: 'required', parallel_tool_calls: true })).toEqual({
      model: 'm',
      input: 'Hi',
    })
  })

  it.each([
    ['any', 'required'],
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'function', name: 'f' },
    ],
    [
      { type: 'function', name: 'f' },
      { type: 'function', name: 'f' },
    ],
    [{ type: 'function', name: 'gone' }, undefined],
    [{ type: 'web_search' }, undefined],
    [null, undefined],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    ],
  ])('are chosen by %j as %j', (choice, told) => {
    expect(relayed({ tools: [tool, { type: 'web_search' }], tool_choice: choice }).tool_choice).toEqual(told)
  })
})

describe('input for a host of Responses', () => {
  it('has no ids of ours, for nobody else knows them', () => {
    expect(
      inputOf(
        { type: 'message', id: 'msg_weir_1_0', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
        { type: 'message', id: 'msg_77', role: 'assistant', content: 'B' },
        { type: 'function_call', id: 'fc_weir_1_1', call_id: signedCallId('c1', 'sig'), name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: signedCallId('c1', 'sig'), output: 'x' },
        { type: 'image_generation_call', id: 'ig_weir_1_2', result: 'https://weir.example/a.png' },
      ),
    ).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
      { type: 'message', id: 'msg_77', role: 'assistant', content: 'B' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'x' },
    ])
  })

  it('has no files of the operator, and no marks of other vendors’ caches', () => {
    const text = { type: 'input_text', text: 'A' }
    const blocks = [
      { ...text, cache_control: { type: 'ephemeral' } },
      { type: 'input_file', file_id: 'file_1' },
    ]
    expect(
      inputOf({ role: 'user', content: blocks }, { type: 'function_call_output', call_id: 'c', output: blocks }),
    ).toEqual([
      { role: 'user', content: [text] },
      { type: 'function_call_output', call_id: 'c', output: [text] },
    ])
  })

  it('has the thoughts that this host has encrypted, and no others', () => {
    const part = { kind: 'reasoning', text: 'Hm', isSummary: true, encrypted: 'gA', id: 'rs_1' } as const
    const own = { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: 'gB' }
    const thoughts = [
      own,
      { ...own, id: 'rs_weir_1_0' },
      sealed(sealReasoning({ ...part, format: 'openai' })),
      sealed(sealReasoning({ ...part, format: 'grok' })),
      sealed(sealReasoning({ kind: 'reasoning', text: 'Hm', signature: 's', format: 'anthropic' })),
      sealed(sealOpaque({ kind: 'opaque', protocol: 'gemini', value: 1 })),
      { type: 'reasoning', id: 'rs_8', summary: [{ type: 'summary_text', text: 'Hm' }] },
    ]
    const opened = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm' }],
      encrypted_content: 'gA',
    }
    const { id: _, ...nameless } = own
    expect(relayBody({ input: thoughts }, 'openai').input).toEqual([own, nameless, opened])
    expect(relayBody({ input: thoughts }, 'grok').input).toEqual([opened])
  })
})
