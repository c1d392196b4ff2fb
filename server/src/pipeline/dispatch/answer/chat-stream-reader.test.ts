import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { joinChunks } from '#providers/protocols/openai/answer/join-chunks.ts'
import { createChunkState, tidyChunk } from '#providers/protocols/openai/answer/tidy-chunk.ts'
import type { Answer } from '#test/simulators/scenarios/answer.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { type VendorName, vendorNames } from '#test/simulators/vendors/vendor-style.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { bytesOf, quirksOf, readRecorded, recordedContext } from '#test/streams/read-recorded.ts'

const counts = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }
const oslo = { id: 'call_a', name: 'get_weather', arguments: ['{"city":', '"Os', 'lo"}'] }
const utc = { id: 'call_b', name: 'get_time', arguments: ['{"zone":', '"UTC"}'] }

const answers: readonly Answer[] = [
  { kind: 'text', pieces: ['Héllo ', 'wörld 🌍', ' \\"choices\\" ', '{"usage":1}', ' "id" ', 'end'], usage: counts },
  { kind: 'tools', calls: [oslo, utc], pieces: ['Let me look. '], usage: counts },
  { kind: 'reasoning', thinking: ['H', 'm, ', 'so'], pieces: ['Hel', 'lo', ' you'], usage: counts },
  {
    kind: 'choices',
    choices: [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ],
    usage: counts,
  },
  { kind: 'text', pieces: ['a', 'b', 'c'], usage: null },
  { kind: 'mid-stream-error', pieces: ['Hel', 'lo', ' you'], message: 'Broken.' },
]

function cutAnywhere(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((one, other) => one - other), bytes.length]
  return edges.slice(1).map((edge, position) => bytes.subarray(edges[position], edge))
}

describe.each(vendorNames)('a stream in the form of %s', (name) => {
  it.each(answers)('reads the same wherever its bytes are cut: $kind', (answer) => {
    const bytes = bytesOf(vendorStream(name, answer))
    const whole = readRecorded([bytes], quirksOf(name))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length - 1), { maxLength: 12 }), (cuts) => {
        const cut = readRecorded(cutAnywhere(bytes, cuts), quirksOf(name))
        expect(cut.text).toBe(whole.text)
        expect(cut.answer).toEqual(whole.answer)
        expect(cut.failure).toEqual(whole.failure)
      }),
      { numRuns: 60 },
    )
  })

  it('reads the same byte by byte, with CRLF, comments and a byte order mark', () => {
    const plain = bytesOf(vendorStream(name, { kind: 'text', pieces: ['Hel', 'lo', ' 🌍'], usage: counts }))
    const dressed = Buffer.from(`\uFEFF${plain.toString('utf8').replaceAll('data:', ': ping\n\ndata:')}`)
    const crlf = Buffer.from(dressed.toString('utf8').replaceAll('\n', '\r\n'))
    const whole = readRecorded([plain], quirksOf(name))
    for (const bytes of [plain, dressed, crlf]) {
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
      expect(readRecorded(single, quirksOf(name)).text).toBe(whole.text)
    }
  })

  it.each(answers)('passes frames on as bytes without a difference to parsing each: $kind', (answer) => {
    const bytes = bytesOf(vendorStream(name, answer))
    const { text } = readRecorded([bytes], quirksOf(name))
    const sent = chunksIn(text).filter((chunk) => chunk.error === undefined)
    const reference = parsedOneByOne(bytes, name)
    expect(comparable(sent)).toEqual(comparable(reference))
  })
})

it('[P16] interleaved tool calls stay as many as there were, with whole arguments', () => {
  const call = fc.record({ city: fc.string(), cuts: fc.array(fc.nat(30), { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat(5)), (wanted, order) => {
      const pending = wanted.map(({ city, cuts }, index) => {
        const text = JSON.stringify({ city })
        const pieces = cutAnywhere(Buffer.from(text, 'latin1'), cuts).map((piece) => piece.toString('latin1'))
        const first = {
          index,
          id: `call_${index}`,
          type: 'function',
          function: { name: `tool_${index}`, arguments: '' },
        }
        return [first, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))]
      })
      const frames: string[] = []
      while (pending.some((queue) => queue.length > 0)) {
        const queue = pending[Number(order.next().value) % pending.length]
        const delta = queue?.shift()
        if (delta !== undefined)
          frames.push(frame({ choices: [{ index: 0, delta: { tool_calls: [delta] }, finish_reason: null }] }))
      }
      frames.push(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }), 'data: [DONE]\n\n')
      const { text } = readRecorded([Buffer.from(frames.join(''))], quirksOf('openai'))
      const [choice] = choicesOf(joinChunks(chunksIn(text)))
      const calls = objectAt(choice ?? {}, 'message').tool_calls
      const found = Array.isArray(calls) ? calls.filter(isJsonObject).map((made) => objectAt(made, 'function')) : []
      expect(found.map((made) => made.name).toSorted()).toEqual(wanted.map((_, index) => `tool_${index}`).toSorted())
      const cities = found.map((made) => JSON.parse(String(made.arguments)))
      expect(new Set(cities.map((made) => JSON.stringify(made)))).toEqual(
        new Set(wanted.map(({ city }) => JSON.stringify({ city }))),
      )
    }),
    { numRuns: 100 },
  )
})

describe('[P7] usage is found wherever it comes', () => {
  const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }
  const text = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] }
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  it.each([
    ['on the finish chunk', [text, { ...finish, usage }]],
    ['on a chunk without choices', [text, finish, { choices: [], usage }]],
    ['on a chunk whose choices are null', [text, finish, { choices: null, usage }]],
    ['on a chunk that has no choices at all', [text, finish, { usage }]],
    [
      'on a chunk with a choice after the finish',
      [text, finish, { ...text, choices: [{ index: 0, delta: {}, finish_reason: null }], usage }],
    ],
    ['before the finish', [text, { choices: [], usage }, finish]],
    [
      'growing on every chunk',
      [
        { ...text, usage: { ...usage, completion_tokens: 1 } },
        { ...finish, usage },
      ],
    ],
    ['twice', [text, finish, { choices: [], usage }, { choices: [], usage }]],
    ['on a content chunk that is the last one with usage', [text, { ...text, usage }, finish]],
  ])('%s', (_where, chunks) => {
    const bytes = Buffer.from([...chunks.map(frame), 'data: [DONE]\n\n'].join(''))
    const { answer, text: sent } = readRecorded([bytes], quirksOf('openai'))
    expect(answer).toMatchObject({ usage: { uncachedInput: 7, textOutput: 5 }, finishReason: 'stop' })
    const shown = chunksIn(sent).filter((chunk) => chunk.usage !== undefined && chunk.usage !== null)
    expect(shown).toHaveLength(1)
    expect(shown[0]).toMatchObject({ usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, cost: 1e-9 } })
  })
})

describe('the end of a stream', () => {
  const text = frame({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] })
  const finish = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

  it('[P18] [STREAM-09] without finish reason, usage and [DONE] is a failure, however cleanly it closed', () => {
    const read = readRecorded([Buffer.from(text)], quirksOf('openai'))
    expect(read.failure).toMatchObject({ kind: 'broken' })
    expect(read.answer).toBeNull()
  })

  it.each([
    ['a finish reason', text + finish],
    ['[DONE]', `${text}data: [DONE]\n\n`],
    ['[DONE] and blanks', `${text}data: [DONE] \n\n`],
    ['usage', text + frame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })],
  ])('with %s is complete', (_what, bytes) => {
    const read = readRecorded([Buffer.from(bytes)], quirksOf('openai'))
    expect(read.failure).toBeNull()
    expect(read.text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('[STREAM-07] shows nothing of a frame that it breaks off in', () => {
    const bytes = bytesOf(vendorStream('openai', { kind: 'text', pieces: ['Hel', 'lo', ' you'], usage: counts }))
    for (let length = 1; length < bytes.length; length += 1) {
      const { text } = readRecorded([bytes.subarray(0, length)], quirksOf('openai'))
      const payloads = payloadsOf(text).filter((payload) => payload !== '[DONE]')
      for (const payload of payloads) expect(parseJsonObject(payload), payload).toBeDefined()
    }
  })

  it('[HOLD-03] without any frame is an empty answer', () => {
    expect(readRecorded([], quirksOf('openai')).failure).toMatchObject({ kind: 'empty' })
    expect(readRecorded([Buffer.from(': ping\n\n')], quirksOf('openai')).failure).toMatchObject({ kind: 'empty' })
  })

  it('a frame that is larger than allowed ends it', () => {
    const huge = Buffer.from(`data: {"choices":"${'x'.repeat(2_000_000)}`)
    expect(readRecorded([huge], quirksOf('openai')).failure).toMatchObject({ kind: 'oversize' })
  })

  it('an event without data is no frame', () => {
    const read = readRecorded([Buffer.from(`data:\n\n${text}data: \n\n${finish}`)], quirksOf('openai'))
    expect(read.failure).toBeNull()
    expect(chunksIn(read.text)).toHaveLength(2)
  })

  it('[STREAM-02] nothing comes after [DONE], whatever the upstream still sends', () => {
    const read = readRecorded(
      [Buffer.from(`${text + finish}data: [DONE]\n\n${text}data: junk\n\n`)],
      quirksOf('openai'),
    )
    expect(read.text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(chunksIn(read.text)).toHaveLength(2)
  })
})

it('a client who wants no reasoning gets none, though it is counted', () => {
  const answer: Answer = { kind: 'reasoning', thinking: ['H', 'm'], pieces: ['Hel', 'lo'], usage: counts }
  for (const name of ['openrouter', 'deepseek'] as const) {
    const bytes = bytesOf(vendorStream(name, answer))
    const read = readRecorded([bytes], quirksOf(name), { ...recordedContext, excludeReasoning: true })
    const joined = JSON.stringify(choicesOf(joinChunks(chunksIn(read.text))))
    expect(joined).toContain('Hello')
    expect(joined).not.toContain('Hm')
    expect(read.answer?.usage?.reasoningOutput).toBe(10)
  }
})

it('chunks that say nothing are kept back only up to a bound', () => {
  const silent = frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })
  const read = readRecorded([Buffer.from(silent.repeat(5_000))], quirksOf('openai'))
  expect(read.textAtOpening).not.toBeNull()
})

it("a vendor's own word for the end is kept short and without control characters", () => {
  const odd = `odd\u0000\n${'x'.repeat(1_000)}`
  const bytes = frame({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: odd }] })
  const native = readRecorded([Buffer.from(bytes)], quirksOf('openai')).answer?.nativeFinishReason ?? ''
  expect(native).toMatch(/^odd +x+$/)
  expect(native.length).toBeLessThanOrEqual(100)
})

function frame(chunk: JsonObject | unknown): string {
  const head = { id: 'up-1', object: 'chat.completion.chunk', created: 1, model: 'up' }
  return `data: ${JSON.stringify({ ...head, ...(isJsonObject(chunk) ? chunk : {}) })}\n\n`
}

function chunksIn(text: string): JsonObject[] {
  return payloadsOf(text)
    .filter((payload) => payload !== '[DONE]')
    .map((payload) => parseJsonObject(payload) ?? {})
}

/** The expected chunks when every frame is parsed and tidied, without any shortcut. */
function parsedOneByOne(bytes: Buffer, name: VendorName): JsonObject[] {
  const state = createChunkState()
  const chunks: JsonObject[] = []
  for (const chunk of chunksIn(bytes.toString('utf8'))) {
    if (chunk.error !== undefined || JSON.stringify(chunk).includes('"finish_reason":"error"')) break
    tidyChunk(chunk, state, quirksOf(name))
    chunks.push({ ...chunk, id: 'gen-1', created: 1_800_000_000, model: 'maker/model' })
  }
  return chunks.filter((chunk) => choicesOf(chunk).length > 0)
}

// Padding and empty usage may pass through, and a finish is held back, but clients see no difference.
function comparable(chunks: readonly JsonObject[]): unknown {
  const plain = chunks.map(({ usage: _usage, obfuscation: _obfuscation, ...chunk }) => chunk)
  return {
    said: plain.filter((chunk) => !isFinish(chunk) && !isBare(chunk)),
    finished: plain.filter(isFinish),
  }
}

function choicesOf(chunk: JsonObject): JsonObject[] {
  return Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : []
}

function isFinish(chunk: JsonObject): boolean {
  return choicesOf(chunk).some((choice) => typeof choice.finish_reason === 'string')
}

function isBare(chunk: JsonObject): boolean {
  return choicesOf(chunk).every((choice) => Object.keys(objectAt(choice, 'delta')).length === 0)
}
