import { describe, expect, it } from 'vitest'
import type { CanonicalCall, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import type { CanonicalChoice } from '#domain/inference/reply.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage, promptTokensOf, type UsageClasses } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { anthropic } from '#providers/vendors/anthropic/index.ts'
import { anthropicAnswers, anthropicFailingAnswer } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicIrregular, type Irregularity } from '#test/simulators/protocols/anthropic/anthropic-irregular.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { plainCall } from '#test/samples/plain-call.ts'
import { anthropicProtocol } from './anthropic-protocol.ts'

/** The simulator knows nothing of this code, so the two check each other. */
const answers = Object.entries(anthropicAnswers)

describe.each(answers)('the answer %s', (_name, answer) => {
  it('[P7] [P9] [P16] says and costs the same streamed and whole', () => {
    const { choices, usage } = readWhole(anthropicDocument(answer))
    const streamed = readStream(anthropicStream(answer))
    expect(streamed.choice).toEqual(choices[0])
    expect(streamed.finalUsage).toEqual(usage)
    expect(streamed.finalUsage).not.toBeNull()
  })

  it('[P17] returns to its maker on the next turn as it came, streamed or whole', () => {
    const whole = anthropicDocument(answer)
    const sent = parseJsonObject(bodyOf(whole))?.content
    const [choice] = readWhole(whole).choices
    assert(choice !== undefined, 'a message is one choice')
    // The explanation of a refusal is the upstream's text next to the message, not part of it.
    const said = choice.parts.filter(({ kind }) => kind !== 'refusal')
    expect(replayed(said)).toEqual(sent)
    const streamed = readStream(anthropicStream(answer)).choice.parts.filter(({ kind }) => kind !== 'refusal')
    expect(JSON.stringify(replayed(streamed))).toBe(JSON.stringify(sent))
  })
})

it('[P9] cached tokens are in one class each', () => {
  const { finalUsage } = readStream(anthropicStream(anthropicAnswers['cached-usage']))
  expect(finalUsage).toEqual({
    ...noUsage,
    uncachedInput: 2,
    cacheRead: 500,
    cacheWrite5m: 3_000,
    cacheWrite1h: 68,
    textOutput: 30,
  })
  expect(promptTokensOf(finalUsage ?? noUsage)).toBe(3_570)
})

it('[P16] three calls at once are three calls', () => {
  const { choice } = readStream(anthropicStream(anthropicAnswers['parallel-tools']))
  const calls = choice.parts.filter((part) => part.kind === 'tool-call')
  expect(calls.map(({ id, argumentsJson }) => [id, argumentsJson])).toEqual([
    ['toolu_01', '{"city":"Oslo"}'],
    ['toolu_02', '{"zone":"UTC"}'],
    ['toolu_03', '{}'],
  ])
})

it('an answer that breaks off has failed', () => {
  const parts = partsOf(anthropicStream(anthropicFailingAnswer))
  expect(parts.at(-1)).toEqual({ kind: 'failed', message: 'Overloaded', code: 'overloaded_error' })
})

describe('an irregular stream', () => {
  const kinds: Irregularity[] = ['duplicate-start', 'spliced', 'fallback', 'strange-events', 'done-mark', 'late-usage']
  it.each(kinds)('[P7] is understood: %s', (kind) => {
    const { choice, finalUsage, last } = readStream(anthropicIrregular(kind))
    expect(choice.parts.filter((part) => part.kind === 'text')).toEqual([{ kind: 'text', text: 'Hello' }])
    expect(choice.finishReason).toBe('stop')
    expect(finalUsage).toEqual({ ...noUsage, uncachedInput: 20, textOutput: 5 })
    expect(last).toEqual({ kind: 'ended' })
  })

  it('[P7] without its stops still says how it ended and what it cost', () => {
    const { choice, finalUsage } = readStream(anthropicIrregular('no-stops'))
    expect(choice).toMatchObject({ parts: [{ kind: 'text', text: 'Hello' }], finishReason: 'stop' })
    expect(finalUsage).toMatchObject({ uncachedInput: 20, textOutput: 5 })
  })
})

describe('a document', () => {
  it.each([
    ['that is an error', '{"type":"error","error":{"type":"api_error","message":"Broken."}}', 'Broken.'],
    ['that is no JSON', '<html>', 'The upstream response is not valid JSON.'],
    ['that is no message', '{"id":"x"}', 'The upstream response is not a message object.'],
  ])('%s is a failure, whatever its status', (_name, text, message) => {
    const read = anthropicProtocol.readDocument(Buffer.from(text), anthropic)
    expect(read).toMatchObject({ ok: false, failure: { message } })
  })
})

it('knows a stream by its content type', () => {
  expect(anthropicProtocol.isStream('text/event-stream; charset=utf-8')).toBe(true)
  expect(anthropicProtocol.isStream('application/json')).toBe(false)
})

function readWhole(scenario: StepsScenario) {
  const read = anthropicProtocol.readDocument(Buffer.from(bodyOf(scenario)), anthropic)
  assert(read.ok, 'the document is a message')
  return read.reply
}

function partsOf(scenario: StepsScenario): StreamPart[] {
  const reader = anthropicProtocol.createStreamReader(anthropic)
  return [...reader.push(Buffer.from(bodyOf(scenario))), ...reader.end()]
}

interface Streamed {
  choice: CanonicalChoice
  finalUsage: UsageClasses | null
  last: StreamPart | undefined
}

function readStream(scenario: StepsScenario): Streamed {
  const events = partsOf(scenario)
  const finished = events.find((event) => event.kind === 'finished')
  const counted = events.findLast((event) => event.kind === 'usage-counted')
  const sequence = finished?.stopSequence === undefined ? {} : { stopSequence: finished.stopSequence }
  const choice: CanonicalChoice = {
    parts: events.reduce(join, []),
    finishReason: finished?.reason ?? null,
    nativeFinishReason: finished?.native ?? null,
    ...sequence,
  }
  return { choice, finalUsage: counted?.isFinal === true ? counted.usage : null, last: events.at(-1) }
}

/** Joins stream events to parts as a reader would. */
function join(parts: Part[], event: StreamPart): Part[] {
  const last = parts.at(-1)
  switch (event.kind) {
    case 'text-added':
      if (last?.kind !== 'text') return [...parts, { kind: 'text', text: event.text }]
      return [...parts.slice(0, -1), { ...last, text: last.text + event.text }]
    case 'refusal-added':
      return [...parts, { kind: 'refusal', text: event.text }]
    case 'reasoning-added': {
      const { text, format } = event
      const isOpen = last?.kind === 'reasoning' && last.signature === undefined && last.encrypted === undefined
      return isOpen
        ? [...parts.slice(0, -1), { ...last, text: last.text + text }]
        : [...parts, { kind: 'reasoning', text, format }]
    }
    case 'reasoning-signed':
      assert(last?.kind === 'reasoning', 'a signature ends a block of thinking')
      return [...parts.slice(0, -1), { ...last, signature: event.signature }]
    case 'reasoning-encrypted':
      return [...parts, { kind: 'reasoning', text: '', encrypted: event.data, format: event.format }]
    case 'tool-call-started':
      return [...parts, { kind: 'tool-call', id: event.id, name: event.name, argumentsJson: '' }]
    case 'tool-call-added':
      assert(last?.kind === 'tool-call', 'arguments follow their call')
      return [...parts.slice(0, -1), { ...last, argumentsJson: last.argumentsJson + event.json }]
    case 'opaque-added':
      return [...parts, event.part]
    default:
      return parts
  }
}

function replayed(parts: readonly Part[]): unknown {
  const turns: Turn[] = [
    { role: 'user', parts: [{ kind: 'text', text: 'Question' }] },
    { role: 'assistant', parts },
  ]
  const call: CanonicalCall = { ...plainCall, turns, maxTokens: 100 }
  const target = { vendor: anthropic, baseUrl: null, credential: null, upstreamModel: 'claude-x', openAiFamily: false }
  const { messages } = parseJsonObject(anthropicProtocol.buildRequest(call, target).body) ?? {}
  const [, answer]: unknown[] = Array.isArray(messages) ? messages : []
  return answer === undefined ? [] : contentOf(answer)
}

function contentOf(message: unknown): JsonObject[string] {
  return parseJsonObject(JSON.stringify(message))?.content
}

function bodyOf({ steps }: StepsScenario): string {
  return steps.map((step) => (step.do === 'write' ? step.text : '')).join('')
}
