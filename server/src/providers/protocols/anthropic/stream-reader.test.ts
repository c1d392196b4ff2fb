import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { createMessagesReader } from './stream-reader.ts'

const start = frame('message_start', {
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-x-20260101',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 2,
      cache_creation_input_tokens: 3068,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 3000, ephemeral_1h_input_tokens: 68 },
      output_tokens: 1,
      service_tier: 'standard',
    },
  },
})
const startUsage = { ...noUsage, uncachedInput: 2, cacheWrite5m: 3000, cacheWrite1h: 68, textOutput: 1 }
const counted: StreamPart = { kind: 'usage-counted', usage: startUsage, isFinal: false }
const stop = frame('message_stop', {})

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function begin(index: number, block: object): string {
  return frame('content_block_start', { index, content_block: block })
}

function delta(index: number, type: string, fields: object): string {
  return frame('content_block_delta', { index, delta: { type, ...fields } })
}

function end(index: number): string {
  return frame('content_block_stop', { index })
}

function finish(reason: string, usage: object, details: object | null = null): string {
  const fields = { stop_reason: reason, stop_sequence: null, stop_details: details }
  return frame('message_delta', { delta: fields, usage })
}

function read(text: string, pieceBytes = text.length): StreamPart[] {
  const reader = createMessagesReader()
  const bytes = Buffer.from(text)
  const parts: StreamPart[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) parts.push(...reader.push(bytes.subarray(at, at + pieceBytes)))
  return [...parts, ...reader.end()]
}

const text = [
  start,
  begin(0, { type: 'text', text: '' }),
  frame('ping', {}),
  delta(0, 'text_delta', { text: 'Hellø 🌊' }),
  end(0),
  finish('end_turn', {
    input_tokens: 2,
    cache_creation_input_tokens: 3068,
    cache_read_input_tokens: 0,
    output_tokens: 30,
    output_tokens_details: { thinking_tokens: 4 },
  }),
  stop,
]

const textParts: StreamPart[] = [
  counted,
  { kind: 'text-added', choice: 0, text: 'Hellø 🌊' },
  { kind: 'finished', choice: 0, reason: 'stop', native: 'end_turn' },
  { kind: 'usage-counted', usage: { ...startUsage, textOutput: 26, reasoningOutput: 4 }, isFinal: true },
  { kind: 'ended' },
]

const final: StreamPart = { kind: 'usage-counted', usage: { ...startUsage, textOutput: 9 }, isFinal: true }

const golden: readonly { name: string; frames: readonly string[]; parts: readonly StreamPart[] }[] = [
  { name: 'text with cache usage', frames: text, parts: textParts },
  {
    name: 'thinking, shown and not, and redacted',
    frames: [
      start,
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, 'thinking_delta', { thinking: 'Hm' }),
      delta(0, 'thinking_delta', { thinking: '…' }),
      delta(0, 'signature_delta', { signature: 'c2lnMQ==' }),
      end(0),
      begin(1, { type: 'thinking', thinking: '', signature: '' }),
      delta(1, 'signature_delta', { signature: 'c2lnMg==' }),
      end(1),
      begin(2, { type: 'redacted_thinking', data: 'ZW5j' }),
      end(2),
      begin(3, { type: 'text', text: '' }),
      delta(3, 'text_delta', { text: 'Yes' }),
      end(3),
      finish('end_turn', { output_tokens: 9 }),
      stop,
    ],
    parts: [
      counted,
      { kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'anthropic' },
      { kind: 'reasoning-added', choice: 0, text: '…', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 'c2lnMQ==', format: 'anthropic' },
      { kind: 'reasoning-added', choice: 0, text: '', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 'c2lnMg==', format: 'anthropic' },
      { kind: 'reasoning-encrypted', choice: 0, data: 'ZW5j', format: 'anthropic' },
      { kind: 'text-added', choice: 0, text: 'Yes' },
      { kind: 'finished', choice: 0, reason: 'stop', native: 'end_turn' },
      final,
      { kind: 'ended' },
    ],
  },
  {
    name: 'two tools at once, interleaved, one of them without arguments',
    frames: [
      start,
      begin(0, { type: 'text', text: 'Wait.' }),
      end(0),
      begin(1, { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }),
      delta(1, 'input_json_delta', { partial_json: '' }),
      begin(2, { type: 'tool_use', id: 'toolu_2', name: 'get_date', input: {} }),
      delta(1, 'input_json_delta', { partial_json: '{"city":' }),
      delta(2, 'input_json_delta', { partial_json: '' }),
      delta(1, 'input_json_delta', { partial_json: '"Oslo"}' }),
      end(1),
      end(2),
      finish('tool_use', { output_tokens: 9 }),
      stop,
    ],
    parts: [
      counted,
      { kind: 'text-added', choice: 0, text: 'Wait.' },
      { kind: 'tool-call-started', choice: 0, index: 0, id: 'toolu_1', name: 'get_weather' },
      { kind: 'tool-call-added', choice: 0, index: 0, json: '{"city":' },
      { kind: 'tool-call-added', choice: 0, index: 0, json: '"Oslo"}' },
      { kind: 'tool-call-started', choice: 0, index: 1, id: 'toolu_2', name: 'get_date' },
      { kind: 'tool-call-added', choice: 0, index: 1, json: '{}' },
      { kind: 'finished', choice: 0, reason: 'tool_calls', native: 'tool_use' },
      final,
      { kind: 'ended' },
    ],
  },
  {
    name: 'a refusal without any block',
    frames: [
      start,
      finish('refusal', { output_tokens: 9 }, { type: 'refusal', category: 'bio', explanation: 'Not this.' }),
      stop,
    ],
    parts: [
      counted,
      { kind: 'refusal-added', choice: 0, text: 'Not this.' },
      { kind: 'finished', choice: 0, reason: 'content_filter', native: 'refusal' },
      final,
      { kind: 'ended' },
    ],
  },
  {
    name: 'an error in mid-stream, after which nothing counts',
    frames: [
      start,
      begin(0, { type: 'text', text: '' }),
      delta(0, 'text_delta', { text: 'Hel' }),
      frame('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
      stop,
    ],
    parts: [
      counted,
      { kind: 'text-added', choice: 0, text: 'Hel' },
      { kind: 'failed', message: 'Overloaded', code: 'overloaded_error' },
    ],
  },
]

describe('a stream of Messages events', () => {
  it.each(golden)('[P7] [P16] [P17] is read: $name', ({ frames, parts }) => {
    expect(read(frames.join(''))).toEqual(parts)
  })

  it.each(golden)('[P7] is read alike wherever it is cut: $name', ({ frames, parts }) => {
    const whole = frames.join('')
    expect(read(whole, 1)).toEqual(parts)
    expect(read(whole.replaceAll('\n', '\r\n'), 1)).toEqual(parts)
    const bytes = Buffer.from(whole)
    for (let at = 1; at < bytes.length; at += 1) {
      const reader = createMessagesReader()
      const seen = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at)), ...reader.end()]
      expect(seen).toEqual(parts)
    }
  })

  it('[P7] counts an end that is not followed by a blank line', () => {
    expect(read(text.join('').trimEnd())).toEqual(textParts)
  })

  it('says nothing of its own when it just ends', () => {
    expect(read(text.slice(0, 4).join(''))).toEqual(textParts.slice(0, 2))
  })

  it('fails once at bytes that make no sense, and hears nothing afterwards', () => {
    const parts = read(`${start}data: {"type":\n\n${text.join('')}`)
    expect(parts).toEqual([counted, { kind: 'failed', message: 'The upstream sent an event that is not valid JSON.' }])
  })

  it('fails at an event that never ends', () => {
    const reader = createMessagesReader()
    const piece = Buffer.from('data: '.padEnd(1_024 * 1_024, 'x'))
    const parts = Array.from({ length: 10 }, () => reader.push(piece)).flat()
    expect(parts).toMatchObject([{ kind: 'failed' }])
  })

  it('takes usage that grew at the end, and keeps what the end leaves out', () => {
    const frames = [
      ...text.slice(0, 5),
      finish('end_turn', { input_tokens: 12, output_tokens: 9, server_tool_use: {} }),
      stop,
    ]
    const usage = { ...startUsage, uncachedInput: 12, textOutput: 9 }
    expect(read(frames.join(''))).toContainEqual({ kind: 'usage-counted', usage, isFinal: true })
  })

  it('never calls the placeholder of the start final', () => {
    const ending = frame('message_delta', { delta: { stop_reason: 'end_turn' } })
    const parts = read([...text.slice(0, 5), ending, stop].join(''))
    expect(parts.filter(({ kind }) => kind === 'usage-counted')).toEqual([counted])
  })

  it('calls no count final before the end', () => {
    const running = frame('message_delta', { delta: { stop_reason: null }, usage: { output_tokens: 3 } })
    const parts = read([start, running].join(''))
    expect(parts.at(-1)).toMatchObject({ kind: 'usage-counted', isFinal: false, usage: { textOutput: 3 } })
  })

  it('lets nothing wait for a call of an attempt that was given up', () => {
    const abandoned = begin(0, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} })
    const parts = read([start, abandoned, ...text].join(''))
    expect(parts.slice(2)).toEqual(
      textParts.with(2, { kind: 'finished', choice: 0, reason: 'tool_calls', native: 'end_turn' }),
    )
  })

  it('keeps a block of unknown type whole, put together from its deltas', () => {
    const frames = [
      begin(0, { type: 'compaction', content: null }),
      delta(0, 'compaction_delta', { content: 'Long ' }),
      delta(0, 'compaction_delta', { content: 'ago' }),
      end(0),
    ]
    const value = { type: 'compaction', content: 'Long ago' }
    const part = { kind: 'opaque', protocol: 'anthropic', value }
    expect(read(frames.join(''))).toEqual([{ kind: 'opaque-added', choice: 0, part }])
  })

  it.each([
    { name: 'all', stops: [3, 2, 1] },
    { name: 'some', stops: [3, 2] },
    { name: 'none', stops: [] },
  ])('[P16] keeps mixed calls apart, in the order they began, with $name of their stops', ({ stops }) => {
    const frames = [
      begin(0, { type: 'text', text: 'Wait.' }),
      ...[1, 2, 3].map((index) => begin(index, { type: 'tool_use', id: `toolu_${index}`, name: 'f', input: {} })),
      ...[3, 1, 2].map((index) => delta(index, 'input_json_delta', { partial_json: `{"n":${index}` })),
      ...[2, 3, 1].map((index) => delta(index, 'input_json_delta', { partial_json: '}' })),
      ...stops.map(end),
      stop,
    ]
    const parts = read(frames.join(''))
    const calls = parts.filter((part) => part.kind === 'tool-call-added' || part.kind === 'tool-call-started')
    expect(calls.map((part) => (part.kind === 'tool-call-added' ? part.json : part.id))).toEqual(
      [1, 2, 3].flatMap((index) => [`toolu_${index}`, `{"n":${index}`, '}']),
    )
    expect(calls.map(({ index }) => index)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
    expect(parts.at(-1)).toEqual({ kind: 'ended' })
  })

  it('says which sequence ended the answer', () => {
    const ending = frame('message_delta', { delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } })
    expect(read(ending)).toEqual([
      { kind: 'finished', choice: 0, reason: 'stop', native: 'stop_sequence', stopSequence: 'END' },
    ])
  })
})
