import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { bytesOf, quirksOf, recordedContext } from '#test/streams/read-recorded.ts'
import type { Answer as SimulatedAnswer } from '#test/simulators/scenarios/answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { vendorNames } from '#test/simulators/vendors/vendor-style.ts'
import type { Answer } from '../../types.ts'
import { createChatWholeReader } from './chat-whole-reader.ts'

const answer: SimulatedAnswer = {
  kind: 'reasoning',
  thinking: ['H', 'm'],
  pieces: ['Hel', 'lo'],
  usage: { prompt: 100, completion: 40, cached: 30, reasoning: 10 },
}

function read(bytes: Buffer, wants: { stream: boolean; isEventStream: boolean }, context = recordedContext) {
  const found: { text: string; answer: Answer | null; failure: string | null } = {
    text: '',
    answer: null,
    failure: null,
  }
  const reader = createChatWholeReader(context, quirksOf('openai'), wants, {
    opened: () => {},
    bytes: (piece) => {
      found.text += piece.toString()
    },
    unusable: ({ kind }) => {
      found.failure = kind
    },
    done: (complete, close) => {
      found.answer = complete
      found.text += close(nanoUsd(7n))
    },
  })
  for (let at = 0; at < bytes.length; at += 100) reader.data(bytes.subarray(at, at + 100))
  reader.end()
  return found
}

describe.each(vendorNames)('a document of %s', (name) => {
  it('[USAGE-07] gives the same answer as its stream, read whole', () => {
    const document = read(bytesOf(vendorCompletion(name, answer)), { stream: false, isEventStream: false })
    const joined = read(bytesOf(vendorStream(name, answer)), { stream: false, isEventStream: true })
    expect(document.failure).toBeNull()
    expect(joined.answer?.usage).toEqual(document.answer?.usage)
    expect(messageOf(joined.text).content).toBe(messageOf(document.text).content)
    expect(JSON.parse(document.text)).toMatchObject({ id: 'gen-1', object: 'chat.completion', usage: { cost: 7e-9 } })
  })

  it('[STREAM-02] is given out in chunks where a stream was asked for', () => {
    const { text } = read(bytesOf(vendorCompletion(name, answer)), { stream: true, isEventStream: false })
    const payloads = payloadsOf(text)
    expect(payloads.at(-1)).toBe('[DONE]')
    const last = parseJsonObject(payloads.at(-2) ?? '')
    expect(last).toMatchObject({ object: 'chat.completion.chunk', usage: { prompt_tokens: 100, cost: 7e-9 } })
    expect(text).toContain('"finish_reason":"stop"')
  })
})

it('a client who wants no reasoning gets none, in a document or in chunks', () => {
  const context = { ...recordedContext, excludeReasoning: true }
  const bytes = bytesOf(vendorCompletion('openrouter', answer))
  for (const stream of [false, true]) {
    const { text, answer: found } = read(bytes, { stream, isEventStream: false }, context)
    expect(text).toContain('Hello')
    expect(text).not.toMatch(/Hm|"reasoning"|"reasoning_details"/)
    expect(found?.usage?.reasoningOutput).toBe(10)
  }
})

describe('a body that is no answer', () => {
  const plain = { stream: false, isEventStream: false }
  it.each([
    ['', 'empty'],
    ['<html>', 'broken'],
    ['[]', 'broken'],
    ['{"choices":[]}', 'empty'],
    ['{"error":{"message":"no"}}', 'error'],
    ['{"choices":[{"index":0,"mess', 'broken'],
  ])('[HOLD-03] is a failure: %s', (text, kind) => {
    expect(read(Buffer.from(text), plain).failure).toBe(kind)
  })

  it('[HOLD-03] is a failure when it is larger than any answer', () => {
    const bytes = Buffer.from(JSON.stringify({ choices: [{ message: { content: 'x'.repeat(5_000) } }] }))
    expect(read(bytes, plain, { ...recordedContext, answerBytesMax: 1_000 }).failure).toBe('oversize')
  })

  it('[STREAM-09] [P18] is a failure when it is a stream that was cut off', () => {
    const bytes = bytesOf(vendorStream('openai', answer))
    expect(read(bytes.subarray(0, 900), { stream: false, isEventStream: true }).failure).toBe('broken')
  })
})

function messageOf(text: string): JsonObject {
  const { choices } = JSON.parse(text)
  return choices[0].message
}
