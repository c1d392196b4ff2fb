import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completionTokensOf, promptTokensOf, type UsageClasses } from '#domain/inference/usage.ts'
import { conversationNames, protocolNames } from './axes.ts'
import { clients } from './clients/clients.ts'
import { idOf, interleavedStreams } from './interleaved-calls.ts'
import { hearRecording, readAnswer } from './read-answer.ts'
import { recordedStreams, richStreams } from './recorded-streams.ts'
import { usageRecordings } from './usage-recordings.ts'

describe('streams cut anywhere', () => {
  it.each(recordedStreams())('[P7] $name says the same byte by byte, in each dialect', (recording) => {
    const bytewise = Array.from(recording.bytes, (byte) => Buffer.of(byte))
    for (const dialect of conversationNames) {
      const whole = readAnswer(recording, dialect, { stream: true, pieces: [recording.bytes] })
      expect(whole.text.length).toBeGreaterThan(0)
      expect(readAnswer(recording, dialect, { stream: true, pieces: bytewise })).toEqual(whole)
    }
  })

  it.each(richStreams())('[P7] $name says the same when cut in two at any byte', (recording) => {
    const { bytes } = recording
    for (const dialect of conversationNames) {
      const whole = readAnswer(recording, dialect, { stream: true, pieces: [bytes] })
      for (let cut = 1; cut < bytes.length; cut += 1) {
        const read = readAnswer(recording, dialect, {
          stream: true,
          pieces: [bytes.subarray(0, cut), bytes.subarray(cut)],
        })
        if (read.text !== whole.text) expect.fail(`${dialect}, cut at ${cut}: ${read.text}`)
      }
    }
  })
})

const argumentsText = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 8 }), { maxKeys: 3 })
const interleaving = fc
  .array(fc.tuple(argumentsText, fc.array(fc.nat(20), { maxLength: 3 })), { minLength: 1, maxLength: 5 })
  .chain((drafts) =>
    fc.record({
      inputs: fc.constant(drafts.map(([input]) => input)),
      calls: fc.constant(drafts.map(([input, cuts]) => cutText(JSON.stringify(input), cuts))),
      order: fc.array(fc.nat(4), { maxLength: 12 }),
    }),
  )

describe.each(protocolNames)('calls of tools that %s writes in turns', (protocol) => {
  it.each(clients)('[P16] [TOOL-07] stay as many as they were, each with its own arguments ($dialect)', (client) => {
    fc.assert(
      fc.property(interleaving, ({ inputs, calls, order }) => {
        const heard = hearRecording(interleavedStreams[protocol]({ calls, order }), client)
        expect(heard.calls).toEqual(inputs.map((input, index) => ({ id: idOf(index), name: 'f', input })))
      }),
      { numRuns: 50 },
    )
  })
})

const tokens = fc
  .record({
    uncached: fc.nat(5_000),
    cached: fc.nat(5_000),
    said: fc.integer({ min: 1, max: 5_000 }),
    reasoning: fc.nat(5_000),
  })
  .map(({ uncached, cached, said, reasoning }) => ({
    prompt: uncached + cached,
    cached,
    completion: said + reasoning,
    reasoning,
  }))

describe.each(protocolNames)('usage that %s reports', (protocol) => {
  it.each(clients)(
    '[P9] [USAGE-12] is in disjoint classes that sum to the total, streamed or whole ($dialect)',
    (client) => {
      fc.assert(
        fc.property(tokens, (counted) => {
          const usages = [true, false].map((stream) => {
            const recording = usageRecordings[protocol](counted, stream)
            const read = readAnswer(recording, client.dialect, { stream, pieces: [recording.bytes] })
            const { usage } = client.hear({ status: 200, headers: new Headers(), text: read.text, isStream: stream })
            expect(usage).toMatchObject({ input: counted.prompt, cached: counted.cached, output: counted.completion })
            return read.answer?.usage
          })
          const [streamed, whole] = usages
          expect(streamed).toEqual(whole)
          if (streamed !== null && streamed !== undefined) expectDisjoint(streamed, counted)
          else expect.fail('no usage')
        }),
        { numRuns: 50 },
      )
    },
  )
})

function expectDisjoint(usage: UsageClasses, counted: { prompt: number; cached: number; completion: number }): void {
  expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0)
  expect(promptTokensOf(usage)).toBe(counted.prompt)
  expect(completionTokensOf(usage)).toBe(counted.completion)
  expect(usage.cacheRead).toBe(counted.cached)
  const sum = Object.values(usage).reduce((total, count) => total + count, 0)
  expect(sum).toBe(counted.prompt + counted.completion)
}

/** The text in pieces that split no character. */
function cutText(text: string, cuts: readonly number[]): string[] {
  const letters = [...text]
  const places = [...new Set(cuts.map((cut) => cut % letters.length))].sort((one, other) => one - other)
  return [...places, letters.length].map((end, index) => letters.slice(places[index - 1] ?? 0, end).join(''))
}
