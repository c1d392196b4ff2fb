import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { objectAt } from '#lib/json.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { blocksOf, eventsIn, readAsClient } from './fixtures/read-as-client.ts'
import { replyContext } from './fixtures/reply-context.ts'
import { MessagesWriter } from './messages-writer.ts'

const charged: Charged = {
  usage: {
    ...noUsage,
    uncachedInput: 10,
    audioInput: 2,
    cacheRead: 5,
    cacheWrite5m: 7,
    textOutput: 20,
    reasoningOutput: 4,
  },
  cost: nanoUsd(100n),
}

function written(parts: readonly StreamPart[], context: ReplyContext = replyContext): string {
  const writer = new MessagesWriter(context)
  return parts.map((part) => writer.write(part)).join('') + writer.close(charged)
}

const text = (piece: string): StreamPart => ({ kind: 'text-added', choice: 0, text: piece })
const finished: StreamPart = { kind: 'finished', choice: 0, reason: 'stop', native: 'stop' }
const started = (index: number, name: string): StreamPart => ({
  kind: 'tool-call-started',
  choice: 0,
  index,
  id: `call_${index}`,
  name,
})
const added = (index: number, json: string): StreamPart => ({ kind: 'tool-call-added', choice: 0, index, json })

describe('a Messages stream', () => {
  it('has the whole sequence of events for text, with usage and cost at its end', () => {
    const count: StreamPart = {
      kind: 'usage-counted',
      usage: { ...noUsage, uncachedInput: 10, textOutput: 1 },
      isFinal: false,
    }
    const stream = written([count, text('Hel'), text('lo'), finished])
    expect(eventsIn(stream)).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'gen-1',
          type: 'message',
          role: 'assistant',
          model: 'maker/model',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: {
          input_tokens: 12,
          output_tokens: 24,
          cache_read_input_tokens: 5,
          cache_creation_input_tokens: 7,
          cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 0 },
          output_tokens_details: { thinking_tokens: 4 },
          weir_cost: 1e-7,
        },
      },
      { type: 'message_stop' },
    ])
    expect(stream).toContain('"weir_cost":0.0000001')
    expect(stream).not.toContain('[DONE]')
  })

  it('shows thinking with one signature before its stop, then the call', () => {
    const stream = written([
      { kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'anthropic' },
      { kind: 'reasoning-added', choice: 0, text: 'm', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 'c2ln', format: 'anthropic' },
      { kind: 'reasoning-encrypted', choice: 0, data: 'cmVk', format: 'anthropic' },
      text('Let me look.'),
      started(0, 'get_weather'),
      added(0, '{"city":'),
      added(0, '"Oslo"}'),
      { kind: 'finished', choice: 0, reason: 'tool_calls', native: 'tool_use' },
    ])
    const kinds = eventsIn(stream).map((event) => objectAt(event, 'delta').type ?? event.type)
    const blocks = kinds.join(' ').replaceAll('content_block_', '').split(' start ')
    expect(blocks).toEqual([
      'message_start',
      'thinking_delta thinking_delta signature_delta stop',
      'stop',
      'text_delta stop',
      'input_json_delta input_json_delta stop message_delta message_stop',
    ])
    expect(readAsClient(stream)).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hmm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'cmVk' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_0', name: 'get_weather', input: { city: 'Oslo' } },
      ],
    })
  })

  it('passes complete calls on at once and keeps nothing back', () => {
    const writer = new MessagesWriter(replyContext)
    writer.write(started(0, 'one'))
    writer.write(added(0, '{}'))
    expect(writer.write(started(1, 'two'))).toContain('"name":"two"')
    expect(writer.write(added(1, '{"a"'))).toContain('input_json_delta')
  })

  it('[P16] makes N whole calls of N interleaved ones, whatever comes between', () => {
    const call = fc.record({ value: fc.string(), pieces: fc.integer({ min: 1, max: 4 }) })
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat(50)), (wanted, chance) => {
        const queues = wanted.map(({ value, pieces }, index) => {
          const json = JSON.stringify({ value })
          const length = Math.ceil(json.length / pieces)
          const cut = Array.from({ length: pieces }, (_, at) =>
            added(index, json.slice(at * length, (at + 1) * length)),
          )
          return [started(index, `tool_${index}`), ...cut]
        })
        queues.push([text('a'), text('b')])
        const parts: StreamPart[] = []
        while (queues.some((queue) => queue.length > 0)) {
          const next = queues[Number(chance.next().value) % queues.length]?.shift()
          if (next !== undefined) parts.push(next)
        }
        const blocks = blocksOf(readAsClient(written([...parts, finished])))
        const uses = blocks.filter(({ type }) => type === 'tool_use')
        expect(new Map(uses.map(({ id, input }) => [id, input]))).toEqual(
          new Map(wanted.map(({ value }, index) => [`call_${index}`, { value }])),
        )
        expect(uses).toHaveLength(wanted.length)
        const said = blocks.filter(({ type }) => type === 'text').map((block) => block.text)
        expect(said.join('')).toBe('ab')
      }),
      { numRuns: 200 },
    )
  })

  it('is valid without any content, without a finish and without usage', () => {
    const stream = new MessagesWriter(replyContext).close(null)
    expect(readAsClient(stream)).toMatchObject({ content: [], stop_reason: 'end_turn', usage: { output_tokens: 0 } })
    expect(stream).not.toContain('weir_cost')
  })

  it('ends with an error event wherever it fails, and with nothing after it', () => {
    const error = new GatewayError('upstreamUnavailable', { message: 'Broken.' })
    const frame = 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Broken."}}\n\n'
    expect(new MessagesWriter(replyContext).fail(error)).toBe(frame)
    const writer = new MessagesWriter(replyContext)
    writer.write(text('Hi'))
    expect(writer.fail(error)).toBe(frame)
    expect(writer.write(text('more')) + writer.close(charged) + writer.fail(error)).toBe('')
  })

  it('shows no reasoning to who wants none, but keeps its signature for the next turn', () => {
    const parts: StreamPart[] = [
      { kind: 'reasoning-added', choice: 0, text: 'secret', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 'c2ln', format: 'anthropic' },
      text('Hi'),
      finished,
    ]
    const stream = written(parts, { ...replyContext, excludeReasoning: true })
    expect(stream).not.toContain('secret')
    expect(blocksOf(readAsClient(stream))).toEqual([
      { type: 'thinking', thinking: '', signature: 'c2ln' },
      { type: 'text', text: 'Hi' },
    ])
  })

  it('gives images and blocks of Anthropic whole', () => {
    const search = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }
    const stream = written([
      { kind: 'image-added', choice: 0, source: { kind: 'data', mediaType: 'image/png', base64: 'aGk=' } },
      { kind: 'opaque-added', choice: 0, part: { kind: 'opaque', protocol: 'anthropic', value: search } },
      finished,
    ])
    expect(blocksOf(readAsClient(stream))).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      search,
    ])
  })
})
