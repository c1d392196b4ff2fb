import { describe, expect, it } from 'vitest'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ResponsesQuirks } from '#providers/spec.ts'
import { readResponse } from './read-document.ts'
import { createResponsesReader } from './stream-reader.ts'

const quirks: ResponsesQuirks = { thoughts: 'openai', takes: new Set() }

function read(...events: (JsonObject | string)[]): StreamPart[] {
  const reader = createResponsesReader(quirks)
  const frames = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  return [...reader.push(Buffer.from(frames.join(''))), ...reader.end()]
}

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 140,
}
const completed = (output: JsonObject[] = []): JsonObject => ({
  type: 'response.completed',
  response: { status: 'completed', output, usage },
})
const added = (index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
})
const done = (index: number, item: JsonObject): JsonObject => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
})
const delta = (type: string, index: number, words: string, rest: JsonObject = {}): JsonObject => ({
  type: `response.${type}.delta`,
  output_index: index,
  delta: words,
  ...rest,
})
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' }
const message = (text: string): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  content: [{ type: 'output_text', text }],
})
const kinds = (parts: readonly StreamPart[]): string[] => parts.map(({ kind }) => kind)
const choiceOf = (parts: readonly StreamPart[]) => joinStreamParts(parts).choices[0]

describe('a streamed response', () => {
  it('is told piece by piece, with usage in classes of their own', () => {
    const parts = read(
      { type: 'response.created', response: { status: 'in_progress' } },
      added(0, message('')),
      delta('output_text', 0, 'Hel'),
      delta('output_text', 0, ''),
      delta('output_text', 0, 'lo'),
      { type: 'response.output_text.done', output_index: 0, text: 'Hello' },
      done(0, message('Hello')),
      completed([message('Hello')]),
    )
    expect(kinds(parts)).toEqual(['text-added', 'text-added', 'finished', 'usage-counted', 'ended'])
    expect(choiceOf(parts)).toEqual({
      parts: [{ kind: 'text', text: 'Hello' }],
      finishReason: 'stop',
      nativeFinishReason: 'completed',
    })
    expect(joinStreamParts(parts).usage).toMatchObject({
      uncachedInput: 50,
      cacheRead: 30,
      cacheWrite5m: 20,
      textOutput: 30,
      reasoningOutput: 10,
    })
  })

  it('says what no delta has brought, once', () => {
    const parts = read(done(0, message('Hello')), completed([message('Hello'), call]))
    expect(choiceOf(parts)?.parts).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'tool-call', id: 'call_1', name: 'f', argumentsJson: '{"a":1}' },
    ])
    expect(choiceOf(parts)?.finishReason).toBe('tool_calls')
  })

  it('has a call whether its arguments come in pieces, whole, or before its name', () => {
    const expected = [{ kind: 'tool-call', id: 'call_1', name: 'f', argumentsJson: '{"a":1}' }]
    const pieces = [
      added(0, { ...call, arguments: '' }),
      delta('function_call_arguments', 0, '{"a"'),
      delta('function_call_arguments', 0, ':1}'),
    ]
    expect(choiceOf(read(...pieces, done(0, call), completed([call])))?.parts).toEqual(expected)
    expect(choiceOf(read(added(0, call), done(0, call), completed([call])))?.parts).toEqual(expected)
    expect(choiceOf(read(delta('function_call_arguments', 0, '{"a"'), completed([call])))?.parts).toEqual(expected)
  })

  it('numbers calls by themselves, whatever stands between them', () => {
    const second = { ...call, call_id: 'call_2' }
    const parts = read(added(3, call), added(5, second), delta('function_call_arguments', 5, '{}'), completed())
    expect(parts.filter(({ kind }) => kind.startsWith('tool'))).toMatchObject([
      { index: 0, id: 'call_1' },
      { index: 1, id: 'call_2' },
      { index: 1, json: '{}' },
    ])
  })

  it('has thoughts in paragraphs, and what is encrypted at their end', () => {
    const begun = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'early' }
    const summary = [
      { type: 'summary_text', text: 'One.' },
      { type: 'summary_text', text: 'Two.' },
    ]
    const whole = { ...begun, summary, encrypted_content: 'gA+/' }
    const thought = {
      kind: 'reasoning',
      text: 'One.\n\nTwo.',
      isSummary: true,
      encrypted: 'gA+/',
      id: 'rs_1',
      format: 'openai',
    }
    const streamed = read(
      added(0, begun),
      delta('reasoning_summary_text', 0, 'One.', { summary_index: 0 }),
      delta('reasoning_summary_text', 0, 'Tw', { summary_index: 1 }),
      delta('reasoning_summary_text', 0, 'o.', { summary_index: 1 }),
      done(0, whole),
      completed([whole]),
    )
    expect(choiceOf(streamed)?.parts).toEqual([thought])
    const document = readResponse(Buffer.from(JSON.stringify({ status: 'completed', output: [whole] })), quirks)
    expect(document).toMatchObject({ ok: true, reply: { choices: [{ parts: [thought] }], usage: null } })
  })

  it('has the thoughts themselves where a host shows them', () => {
    const content = [{ type: 'reasoning_text', text: 'Hm' }]
    const parts = read(
      delta('reasoning_text', 0, 'Hm'),
      done(0, { type: 'reasoning', summary: [], content }),
      completed(),
    )
    expect(choiceOf(parts)?.parts).toEqual([{ kind: 'reasoning', text: 'Hm', format: 'openai' }])
  })

  it('keeps items that nobody has told us of', () => {
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    const parts = read(added(0, item), { type: 'response.web_search_call.searching' }, done(0, item), completed([item]))
    expect(choiceOf(parts)?.parts).toEqual([{ kind: 'opaque', protocol: 'responses', value: item }])
  })

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'length'],
  ])('that is incomplete for %s ended by %s', (reason, finishReason) => {
    const response = { status: 'incomplete', incomplete_details: { reason }, output: [call], usage }
    const parts = read({ type: 'response.incomplete', response })
    expect(choiceOf(parts)).toMatchObject({ finishReason, nativeFinishReason: reason })
    const document = readResponse(Buffer.from(JSON.stringify(response)), quirks)
    expect(document).toMatchObject({ reply: { choices: [{ finishReason, nativeFinishReason: reason }] } })
  })

  it('tells a refusal as one', () => {
    const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(choiceOf(read(delta('refusal', 0, 'No.'), done(0, refusal), completed()))?.parts).toEqual([
      { kind: 'refusal', text: 'No.' },
    ])
    expect(choiceOf(read(completed([refusal])))?.parts).toEqual([{ kind: 'refusal', text: 'No.' }])
  })
})

describe('a stream gone wrong', () => {
  it('fails once, and says nothing after it', () => {
    const failed = { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'Broke.' } } }
    const parts = read(delta('output_text', 0, 'Hel'), { type: 'error', message: 'Broke.' }, failed, completed())
    expect(parts).toEqual([
      { kind: 'text-added', choice: 0, text: 'Hel' },
      { kind: 'failed', message: 'Broke.' },
    ])
    expect(kinds(read('<html>', completed()))).toEqual(['failed'])
  })

  it('has no end where none was told', () => {
    expect(kinds(read(delta('output_text', 0, 'Hel')))).toEqual(['text-added'])
    expect(read('[DONE]', '')).toEqual([])
    expect(kinds(read(completed(), completed()))).toEqual(['finished', 'usage-counted', 'ended'])
  })
})

describe('a whole response', () => {
  it.each([['<html>'], ['{"id":"resp_1"}'], ['{"status":"failed","error":{"message":"Broke."},"output":[]}']])(
    'is none: %s',
    (text) => {
      expect(readResponse(Buffer.from(text), quirks)).toMatchObject({ ok: false })
    },
  )
})
