import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { asArray, asEvents, type GoldenName, goldenStreams } from './fixtures/golden-streams.ts'
import { createStreamReader } from './stream-reader.ts'

const spent = (counts: Partial<typeof noUsage>, isFinal: boolean): StreamPart => ({
  kind: 'usage-counted',
  usage: { ...noUsage, ...counts },
  isFinal,
})
const said = (text: string): StreamPart => ({ kind: 'text-added', choice: 0, text })
const thought = (text: string): StreamPart => ({
  kind: 'reasoning-added',
  choice: 0,
  text,
  isSummary: true,
  format: 'google',
})
const called = (index: number, json: string): StreamPart => ({ kind: 'tool-call-added', choice: 0, index, json })
const ended: StreamPart = { kind: 'ended' }

const expected: Record<GoldenName, StreamPart[]> = {
  thinkingTokens: [
    said('There are '),
    spent({ uncachedInput: 9, textOutput: 2, reasoningOutput: 185 }, false),
    said('3 é🙂.'),
    spent({ uncachedInput: 9, textOutput: 5, reasoningOutput: 185 }, false),
    { kind: 'reasoning-signed', choice: 0, signature: 'RW5j', format: 'google' },
    { kind: 'finished', choice: 0, reason: 'stop', native: 'STOP' },
    spent({ uncachedInput: 9, textOutput: 5, reasoningOutput: 185 }, true),
    ended,
  ],
  thoughtSummaries: [
    thought('**Planning** '),
    thought('the words'),
    said('Yes.'),
    { kind: 'finished', choice: 0, reason: 'stop', native: 'STOP' },
    spent({ uncachedInput: 9, textOutput: 1, reasoningOutput: 5 }, true),
    ended,
  ],
  parallelCalls: [
    {
      kind: 'tool-call-started',
      choice: 0,
      index: 0,
      id: 'call_r3_0',
      name: 'get_weather',
      signature: 'c2ln+/==',
    },
    called(0, '{"city":"Oslo"}'),
    spent({ uncachedInput: 9, textOutput: 4 }, false),
    { kind: 'tool-call-started', choice: 0, index: 1, id: 'fn-2', name: 'get_weather' },
    called(1, '{"city":"Rome"}'),
    { kind: 'tool-call-started', choice: 0, index: 2, id: 'call_r3_2', name: 'get_time' },
    called(2, '{}'),
    spent({ uncachedInput: 9, textOutput: 8 }, false),
    { kind: 'finished', choice: 0, reason: 'tool_calls', native: 'STOP' },
    spent({ uncachedInput: 9, textOutput: 12 }, true),
    ended,
  ],
  streamedArguments: [
    { kind: 'tool-call-started', choice: 0, index: 0, id: 'call_0', name: 'f', signature: 'cA==' },
    called(0, '{"city":"Oslo","stops":[{"days":2},{"odd key":false}],"until":null}'),
    { kind: 'tool-call-started', choice: 0, index: 1, id: 'call_1', name: 'g' },
    called(1, '{}'),
    { kind: 'finished', choice: 0, reason: 'tool_calls', native: 'STOP' },
    spent({ uncachedInput: 9, textOutput: 12 }, true),
    ended,
  ],
  promptBlocked: [
    { kind: 'finished', choice: 0, reason: 'content_filter', native: 'PROHIBITED_CONTENT' },
    spent({ uncachedInput: 9 }, true),
    ended,
  ],
  outputBlocked: [
    said('Once'),
    spent({ uncachedInput: 9, textOutput: 1 }, false),
    { kind: 'finished', choice: 0, reason: 'content_filter', native: 'RECITATION' },
    spent({ uncachedInput: 9, textOutput: 1 }, true),
    ended,
  ],
  thoughtToTheEnd: [
    { kind: 'finished', choice: 0, reason: 'length', native: 'MAX_TOKENS' },
    spent({ uncachedInput: 9, reasoningOutput: 90 }, true),
    ended,
  ],
  midStreamError: [
    said('Once'),
    spent({ uncachedInput: 9, textOutput: 1 }, false),
    { kind: 'failed', message: 'The model is overloaded.', code: 'UNAVAILABLE' },
  ],
  truncated: [said('Once'), spent({ uncachedInput: 9, textOutput: 1 }, false)],
}

const names = ['thinkingTokens', 'thoughtSummaries', 'parallelCalls', 'streamedArguments', 'promptBlocked'] as const
const endings = ['outputBlocked', 'thoughtToTheEnd', 'midStreamError', 'truncated'] as const

describe.each([...names, ...endings])('the stream %s', (name) => {
  const frames = goldenStreams[name]

  it.each([
    ['as events', asEvents(frames)],
    ['as events without their last line end', asEvents(frames).subarray(0, -4)],
    ['as one array', asArray(frames)],
  ])('[P7] [P16] is understood wherever it is cut: %s', (_form, bytes) => {
    expect(readAll([bytes])).toEqual(expected[name])
    expect(readAll(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected[name])
    for (let at = 1; at < bytes.length; at += 1) {
      const parts = readAll([bytes.subarray(0, at), bytes.subarray(at)])
      if (!isSame(parts, expected[name])) expect(parts, `cut at ${at}`).toEqual(expected[name])
    }
  })
})

describe('a stream with something odd in it', () => {
  it.each([
    ['not JSON', Buffer.from('data: {"candidates":[{"con\n\ndata: {}\n\n')],
    ['half a frame at its end', asEvents(goldenStreams.truncated).subarray(0, 60)],
    ['a text instead of frames', Buffer.from('data: "hello"\n\n')],
  ])('fails once and is then silent: %s', (_oddity, bytes) => {
    expect(readAll([bytes, bytes])).toEqual([expect.objectContaining({ kind: 'failed' })])
  })

  it.each([
    ['nothing', ''],
    ['an empty array', '[]'],
    ['half an array', '[{"candidates":[{"content":{"parts":[{"text":"On'],
    ['comments alone', ': ping\n\n'],
  ])('has no end: %s', (_oddity, text) => {
    expect(readAll([Buffer.from(text)])).toEqual([])
  })

  it('[P17] keeps what only Gemini knows', () => {
    const part = { executableCode: { language: 'PYTHON', code: '1' }, thoughtSignature: 'eA==' }
    const frame = { candidates: [{ content: { parts: [part] } }] }
    expect(readAll([asEvents([JSON.stringify(frame)])])).toEqual([
      { kind: 'opaque-added', choice: 0, part: { kind: 'opaque', protocol: 'gemini', value: part } },
    ])
  })

  it('is cut right though its texts look like its frame', () => {
    const text = '"}]\\\n[{'
    const frame = JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })
    expect(readAll([asArray([frame, frame])])).toEqual([said(text), said(text)])
    expect(readAll([asEvents([frame, frame])])).toEqual([said(text), said(text)])
  })

  it('[P16] ends a call whose own end never came where something else is said', () => {
    const parts = [{ functionCall: { name: 'f', args: { a: 1 }, willContinue: true } }, { text: 'So.' }]
    const read = readAll([asEvents([JSON.stringify({ candidates: [{ content: { parts } }] })])])
    expect(read.slice(1)).toEqual([called(0, '{"a":1}'), said('So.')])
  })

  it('has no way to reach the prototype of its arguments', () => {
    const partialArgs = [{ jsonPath: '$.__proto__.polluted', stringValue: 'yes' }]
    const parts = [{ functionCall: { name: 'f', partialArgs } }]
    const read = readAll([asEvents([JSON.stringify({ candidates: [{ content: { parts } }] })])])
    expect(read.at(-1)).toMatchObject({ json: '{"__proto__":{"polluted":"yes"}}' })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('fails where its arguments are too deep to be written again', () => {
    const args = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const frame = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${args}}}]}}]}`
    expect(readAll([asEvents([frame])])).toEqual([expect.objectContaining({ kind: 'failed' })])
  })

  it.each(['\r\n', ' \r', '\t'])('means the same with %j ahead of it, in the same piece or alone', (lead) => {
    const events = asEvents(goldenStreams.parallelCalls)
    const [together, apart] = [createStreamReader(), createStreamReader()]
    const whole = [...together.push(Buffer.concat([Buffer.from(lead), events])), ...together.end()]
    expect([...apart.push(Buffer.from(lead)), ...apart.push(events), ...apart.end()]).toEqual(whole)
    expect(whole.at(-1)).toEqual({ kind: 'ended' })
  })

  it('keeps several candidates apart', () => {
    const candidates = [0, 1].map((index) => ({ index, content: { parts: [{ functionCall: { name: 'f' } }] } }))
    const ids = readAll([asEvents([JSON.stringify({ candidates, responseId: 'r/9' })])])
      .filter((part) => part.kind === 'tool-call-started')
      .map(({ choice, index, id }) => [choice, index, id])
    expect(ids).toEqual([
      [0, 0, 'call_r9_0'],
      [1, 0, 'call_r9_c1_0'],
    ])
  })
})

function readAll(pieces: readonly Buffer[]): StreamPart[] {
  const reader = createStreamReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
}

function isSame(left: readonly StreamPart[], right: readonly StreamPart[]): boolean {
  return JSON.stringify(left.map(sorted)) === JSON.stringify(right.map(sorted))
}

/** Cheap enough for every cut; `toEqual` then shows a difference. */
function sorted(part: StreamPart): [string, unknown][] {
  return Object.entries(part).toSorted(([left], [right]) => left.localeCompare(right))
}
