import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsIn, readAsClient } from '#dialects/messages/fixtures/read-as-client.ts'
import { replyContext } from '#dialects/messages/fixtures/reply-context.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { assert } from '#lib/assert.ts'
import type { Answer, AnswerFailure, AnswerReader } from '../../types.ts'
import { createMessagesRelayReader } from './messages-relay-reader.ts'
import type { ReaderContext } from './reader-context.ts'

const context: ReaderContext = { ...replyContext, frameBytesMax: 100_000, answerBytesMax: 100_000 }
const startUsage = {
  input_tokens: 2,
  cache_creation_input_tokens: 3_068,
  cache_read_input_tokens: 9,
  cache_creation: { ephemeral_5m_input_tokens: 3_000, ephemeral_1h_input_tokens: 68 },
  output_tokens: 1,
  service_tier: 'standard',
}
const head = { type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null }
const start = { type: 'message_start', message: { id: 'msg_01', model: 'claude-x-1', ...head, usage: startUsage } }
const said = [
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm, é' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQB+/==' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: null } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello 🌍 "event": "message_stop"' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'get', input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"city":"Oslo"}' } },
  { type: 'content_block_stop', index: 2 },
]
const ending = {
  type: 'message_delta',
  delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
  usage: { output_tokens: 30, output_tokens_details: { thinking_tokens: 12 } },
  context_management: { applied_edits: [] },
}
const stop = { type: 'message_stop' }
const counted = {
  uncachedInput: 2,
  cacheRead: 9,
  cacheWrite5m: 3_000,
  cacheWrite1h: 68,
  textOutput: 18,
  reasoningOutput: 12,
}

interface Read {
  text: string
  answer: Answer | null
  failure: AnswerFailure | null
  textAtOpening: string | null
  reader: AnswerReader
}

function read(pieces: readonly Buffer[], wants = { stream: true, isEventStream: true }): Read {
  const sent: string[] = []
  const seen: Pick<Read, 'answer' | 'failure' | 'textAtOpening'> = { answer: null, failure: null, textAtOpening: null }
  const reader = createMessagesRelayReader(context, wants, {
    opened: () => {
      assert(seen.textAtOpening === null, 'an answer opens once')
      seen.textAtOpening = sent.join('')
    },
    bytes: (bytes) => {
      assert(seen.textAtOpening !== null, 'nothing is sent before an answer opens')
      sent.push(bytes.toString())
    },
    unusable: (failure) => {
      assert(seen.answer === null && seen.failure === null, 'an answer ends once')
      seen.failure = failure
    },
    done: (answer, close) => {
      assert(seen.answer === null && seen.failure === null, 'an answer ends once')
      seen.answer = answer
      sent.push(String(close(nanoUsd(1n))))
    },
  })
  for (const piece of pieces) reader.data(piece)
  reader.end()
  return { ...seen, text: sent.join(''), reader }
}

function bytesOf(events: readonly JsonObject[]): Buffer {
  return Buffer.from(events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}

const readEvents = (events: readonly JsonObject[]): Read => read([bytesOf(events)])

describe('a relayed Messages stream', () => {
  it('passes untouched but for id, model and the cost at its end', () => {
    const { text, answer } = readEvents([start, ...said, ending, stop])
    expect(eventsIn(text)).toEqual([
      { ...start, message: { ...start.message, id: 'gen-1', model: 'maker/model' } },
      ...said,
      { ...ending, usage: { ...startUsage, ...ending.usage, weir_cost: 1e-9 } },
      stop,
    ])
    expect(text).toContain('"weir_cost":0.000000001')
    expect(answer).toMatchObject({ usage: counted, finishReason: 'tool_calls', nativeFinishReason: 'tool_use' })
    expect(readAsClient(text)).toMatchObject({ id: 'gen-1', stop_reason: 'tool_use' })
  })

  it('[P17] keeps signatures byte for byte', () => {
    expect(readEvents([start, ...said, ending, stop]).text).toContain('"signature":"EqQB+/=="')
  })

  it('reads the same wherever its bytes are cut', () => {
    const bytes = bytesOf([start, { type: 'ping' }, ...said, { type: 'ping' }, ending, stop])
    const whole = read([bytes])
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length - 1), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        const cut = read(edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge)))
        expect(cut.text).toBe(whole.text)
        expect(cut.answer).toEqual(whole.answer)
      }),
      { numRuns: 60 },
    )
  })

  it('passes events and blocks on that nobody has told us of', () => {
    const news = [
      { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: 'x' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'y' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'fallback', reason: 'x' },
    ]
    expect(eventsIn(readEvents([start, ...news, ending, stop]).text).slice(1, -2)).toEqual(news)
  })

  it('opens with the first substance, not with announcements', () => {
    const [announced, first] = said
    assert(announced !== undefined && first !== undefined, 'there is something said')
    const silent = readEvents([start, { type: 'ping' }, announced])
    expect(silent).toMatchObject({ textAtOpening: null, text: '', failure: { kind: 'broken' } })
    expect(readEvents([start, announced, first]).textAtOpening).toBe('')
  })

  it('bills only a usage that came with the stop reason', () => {
    const early = readEvents([start, ...said])
    expect(early.reader.finalAnswer).toBeNull()
    expect(early.reader.outputTokensEstimate).toBeGreaterThan(2)
    const late = readEvents([start, ...said, ending])
    expect(late.reader.finalAnswer).toMatchObject({ usage: counted })
    const bare = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } }
    const unbilled = readEvents([start, ...said, bare, stop])
    expect(unbilled.answer?.usage).toBeNull()
    expect(unbilled.text).not.toContain('weir_cost')
  })
})

describe('the end of a relayed stream', () => {
  it('[P18] without stop reason and last event is a failure, however cleanly it closed', () => {
    expect(readEvents([start, ...said])).toMatchObject({ failure: { kind: 'broken' }, answer: null })
  })

  it.each<[string, JsonObject[]]>([
    ['a stop reason', [ending]],
    ['its last event', [stop]],
  ])('with %s is complete', (_what, events) => {
    const { text, failure } = readEvents([start, ...said, ...events])
    expect(failure).toBeNull()
    expect(readAsClient(text)).toMatchObject({ id: 'gen-1' })
  })

  it('[MSG-17] that breaks off inside an event shows nothing of that event', () => {
    const whole = bytesOf([start, ...said])
    const half = Buffer.from('event: content_block_delta\ndata: {"type":"content_block_delta","index":2,"del')
    const { text, failure } = read([whole, half])
    expect(failure?.kind).toBe('broken')
    expect(eventsIn(text).slice(1)).toEqual(said)
  })

  it('[HOLD-03] without anything said is an empty answer', () => {
    expect(read([]).failure).toMatchObject({ kind: 'empty' })
    expect(readEvents([start, stop]).failure).toMatchObject({ kind: 'empty' })
  })

  it('nothing comes after the last event', () => {
    const { text } = readEvents([start, ...said, ending, stop, ...said])
    expect(eventsIn(text).at(-1)).toEqual(stop)
  })

  it('with an error event is a failure that names no secrets, and ours is what the client sees', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded for org-abcdef123456' } }
    const { failure, reader, text } = readEvents([start, ...said, error])
    expect(failure).toEqual({ kind: 'error', message: 'Overloaded for [redacted]' })
    expect(text).not.toContain('Overloaded')
    expect(eventsIn(String(reader.fail(new GatewayError('upstreamUnavailable', { message: 'Broken.' }))))).toEqual([
      { type: 'error', error: { type: 'api_error', message: 'Broken.' } },
    ])
  })

  it('that is not JSON, or larger than allowed, is a failure', () => {
    expect(read([Buffer.from('data: {"type"\n\n')]).failure).toMatchObject({ kind: 'broken' })
    expect(read([Buffer.from(`data: {"type":"${'x'.repeat(200_000)}`)]).failure).toMatchObject({ kind: 'oversize' })
  })
})

describe('a relayed Messages document', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', id: 'toolu_1', name: 'get', input: { a: 1 } },
  ]
  const usage = { ...startUsage, ...ending.usage }
  const message = { ...start.message, content, stop_reason: 'tool_use', usage, container: null }
  const document = { stream: false, isEventStream: false }

  it('passes untouched but for id, model and cost', () => {
    const { text, answer } = read([Buffer.from(JSON.stringify(message))], document)
    expect(JSON.parse(text)).toEqual({
      ...message,
      id: 'gen-1',
      model: 'maker/model',
      usage: { ...usage, weir_cost: 1e-9 },
    })
    expect(answer).toMatchObject({ usage: counted, finishReason: 'tool_calls' })
  })

  it('is given out as events to who asked for a stream', () => {
    const { text } = read([Buffer.from(JSON.stringify(message))], { stream: true, isEventStream: false })
    expect(readAsClient(text)).toMatchObject({
      id: 'gen-1',
      content,
      stop_reason: 'tool_use',
      usage: { weir_cost: 1e-9 },
    })
  })

  it.each<[AnswerFailure['kind'], string]>([
    ['empty', ''],
    ['broken', '<html>'],
    ['error', '{"type":"error","error":{"type":"api_error","message":"No."}}'],
    ['empty', '{"type":"message"}'],
    ['oversize', 'x'.repeat(200_000)],
  ])('that is %s is a failure', (kind, body) => {
    expect(read([Buffer.from(body)], document).failure).toMatchObject({ kind })
  })
})
