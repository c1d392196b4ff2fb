import { describe, expect, it } from 'vitest'
import { completionTokensOf, noUsage, promptTokensOf } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import { googleAiStudio } from '#providers/vendors/google/index.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import type { GeminiAnswer } from '#test/simulators/protocols/gemini/gemini-answer.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiRefusal } from '#test/simulators/protocols/gemini/gemini-refusal.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { geminiProtocol } from './gemini-protocol.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'

/** The simulators know nothing of this code, so the two check each other. */
const usage = { prompt: 100, candidates: 40, thoughts: 10, cached: 30, toolUse: 7, audioInput: 20, imageOutput: 5 }
const calls = [
  { name: 'get_weather', args: { city: 'Oslo' }, signature: 'c2lnMQ==' },
  { name: 'get_weather', args: { city: 'Rome', days: [1, 2] } },
  { name: 'get_time', args: {}, id: 'fn-3' },
]

const answers: readonly GeminiAnswer[] = [
  { kind: 'text', pieces: ['Hel', 'lo'], signature: 'RW5j', usage },
  { kind: 'text', pieces: ['Hel', 'lo'], usage, vertex: true },
  { kind: 'thoughts', thoughts: ['H', 'm'], pieces: ['Hel', 'lo'], signature: 'RW5j', usage },
  { kind: 'tools', calls, thoughts: ['Hm'], pieces: ['Let me see.'], usage },
  { kind: 'image', mimeType: 'image/png', data: 'iVBORw0=', pieces: ['Here:'], signature: 'cGlj', usage },
  { kind: 'length', pieces: [], usage },
  { kind: 'output-blocked', pieces: ['Hel'], reason: 'SPII', usage },
  { kind: 'output-blocked', pieces: [], usage },
  { kind: 'prompt-blocked', reason: 'BLOCKLIST' },
]

describe.each(answers)('an answer of Gemini: $kind', (answer) => {
  it('[P7] [P9] [P16] says and costs the same streamed and whole', () => {
    const whole = readWhole(bodyOf(geminiDocument(answer)))
    assert(whole.ok, 'the document is read')
    expect(readStreamed(geminiStream(answer))).toEqual(whole.reply)
    expect(readStreamed(geminiStream({ ...answer, form: 'array' }))).toEqual(whole.reply)
    const asDocument = readWhole(bodyOf(geminiStream({ ...answer, form: 'array' })))
    expect(asDocument).toEqual(whole)
  })
})

describe('what an answer of Gemini costs', () => {
  it('[P9] is in exactly one class each, and adds up to the total that Gemini states', () => {
    const { usage: counted } = readStreamed(geminiStream({ kind: 'text', pieces: ['Hi'], usage }))
    assert(counted !== null, 'usage was sent')
    expect(counted).toEqual({
      ...noUsage,
      uncachedInput: 57,
      cacheRead: 30,
      audioInput: 20,
      textOutput: 35,
      reasoningOutput: 10,
      imageOutput: 5,
    })
    expect(promptTokensOf(counted) + completionTokensOf(counted)).toBe(100 + 40 + 10 + 7)
  })

  it.each([
    ['each query of Gemini 3, but for empty and repeated ones', 'gemini-3-pro', ['weirs', '', 'dams', 'weirs'], 2],
    ['one of an earlier Gemini, whatever it asked', 'gemini-2.5-flash', ['weirs', 'dams'], 1],
    ['none of an answer that only had empty queries', 'gemini-3-pro', [''], 0],
    ['one of a model that does not tell its generation', 'tuned', ['weirs', 'dams'], 1],
  ])('[M1] has searches: %s', (_what, model, queries, searches) => {
    const answer: GeminiAnswer = { kind: 'text', pieces: ['Hi'], model, usage: { prompt: 1, candidates: 1, queries } }
    const media = searches === 0 ? undefined : { webSearches: searches }
    expect(readStreamed(geminiStream(answer)).usage?.media).toEqual(media)
    const whole = readWhole(bodyOf(geminiDocument(answer)))
    assert(whole.ok, 'the document is read')
    expect(whole.reply.usage?.media).toEqual(media)
  })

  it('is unknown without usage, and known where it is nothing', () => {
    expect(readStreamed(geminiStream({ kind: 'text', pieces: ['Hi'], usage: null })).usage).toBeNull()
    const zero = { prompt: 0, candidates: 0 }
    expect(readStreamed(geminiStream({ kind: 'text', pieces: ['Hi'], usage: zero })).usage).toEqual(noUsage)
  })
})

describe('an answer of Gemini that is none', () => {
  it('has no finish when it is truncated', () => {
    const [choice] = readStreamed(geminiStream({ kind: 'truncated', pieces: ['Hel'] })).choices
    expect(choice).toMatchObject({ finishReason: null, nativeFinishReason: null })
    expect(readWhole(bodyOf(geminiDocument({ kind: 'truncated', pieces: ['Hel'] })))).toMatchObject({ ok: false })
  })

  it('fails where it breaks off', () => {
    const reader = geminiProtocol.createStreamReader(googleAiStudio)
    const parts = reader.push(bodyOf(geminiStream({ kind: 'mid-stream-error', pieces: ['Hel'], message: 'Broken.' })))
    expect(parts.at(-1)).toEqual({ kind: 'failed', message: 'Broken.', code: 'UNAVAILABLE' })
    expect(reader.end()).toEqual([])
  })

  it.each([
    ['an error with status 200', bodyOf(geminiRefusal('overloaded')), 'The model is overloaded.'],
    ['no candidate', Buffer.from('{"responseId":"r"}'), 'returned no candidates'],
    ['a page', Buffer.from('<html>'), 'not valid JSON'],
  ])('is a failure as a document: %s', (_form, bytes, message) => {
    expect(readWhole(bytes)).toMatchObject({ ok: false, failure: { message: expect.stringContaining(message) } })
  })
})

function readWhole(bytes: Buffer): DocumentRead {
  return geminiProtocol.readDocument(bytes, googleAiStudio)
}

function readStreamed(scenario: StepsScenario) {
  const reader = geminiProtocol.createStreamReader(googleAiStudio)
  return joinStreamParts([...reader.push(bodyOf(scenario)), ...reader.end()])
}

function bodyOf({ steps }: StepsScenario): Buffer {
  return Buffer.from(steps.map((step) => (step.do === 'write' ? step.text : '')).join(''))
}
