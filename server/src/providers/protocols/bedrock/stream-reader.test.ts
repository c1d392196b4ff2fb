import { describe, expect, it } from 'vitest'
import type { Part } from '#domain/inference/parts.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { UsageClasses } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import type { BedrockAnswer } from '#test/simulators/protocols/bedrock/bedrock-answer.ts'
import {
  bedrockAnswers,
  brokenBedrockAnswer,
  redactedThinking,
  thinkingSignature,
} from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockBody } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockFrames } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { eventFrame, eventOf, exceptionOf } from '#test/simulators/protocols/bedrock/event-frame.ts'
import { readDocument } from './read-document.ts'
import { createStreamReader } from './stream-reader.ts'

const answers: readonly (readonly [string, BedrockAnswer])[] = Object.entries(bedrockAnswers)

describe('a stream of Converse', () => {
  it.each(answers)('[P7] [P9] [P16] [P17] says and costs the same as its document: %s', (_, answer) => {
    const streamed = joined(read([Buffer.concat(bedrockFrames(answer))]))
    const document = readDocument(Buffer.from(JSON.stringify(bedrockBody(answer))))
    assert(document.ok, 'the document is an answer')
    const [choice] = document.reply.choices
    expect(streamed.parts).toEqual(choice?.parts)
    expect(streamed.finish).toEqual({
      reason: choice?.finishReason,
      native: choice?.nativeFinishReason,
      stopSequence: choice?.stopSequence,
    })
    expect(streamed.usage).toEqual(document.reply.usage)
    expect(streamed.failures).toEqual([])
  })

  it.each(answers)('says the same cut at any byte: %s', (_, answer) => {
    const whole = Buffer.concat(bedrockFrames(answer))
    const expected = read([whole])
    for (let at = 1; at < whole.length; at += 1) {
      expect(read([whole.subarray(0, at), whole.subarray(at)])).toEqual(expected)
    }
    expect(read([...whole].map((byte) => Buffer.of(byte)))).toEqual(expected)
  })

  it.each(answers)('ends with its end mark, once, after usage and finish reason: %s', (_, answer) => {
    const kinds = read(bedrockFrames(answer)).map((part) => part.kind)
    expect(kinds.filter((kind) => kind === 'ended')).toHaveLength(1)
    expect(kinds.at(-1)).toBe('ended')
    expect(kinds.filter((kind) => kind === 'finished')).toHaveLength(1)
  })

  it('[P7] counts usage before and after the stop', () => {
    for (const answer of [bedrockAnswers.text, bedrockAnswers.metadataFirst]) {
      const counted = read(bedrockFrames(answer)).filter((part) => part.kind === 'usage-counted')
      expect(counted).toMatchObject([{ isFinal: true, usage: { uncachedInput: 16, textOutput: 5 } }])
    }
  })

  it('[P9] keeps what was cached apart, by how long it lives', () => {
    expect(joined(read(bedrockFrames(bedrockAnswers.cached))).usage).toMatchObject({
      uncachedInput: 10,
      cacheRead: 300,
      cacheWrite5m: 50,
      cacheWrite1h: 20,
      textOutput: 5,
    })
  })

  it('[P16] keeps parallel calls apart, interleaved ones included, each with valid arguments', () => {
    const { parts } = joined(read(bedrockFrames(bedrockAnswers.interleavedTools)))
    expect(parts).toEqual([
      { kind: 'tool-call', id: 'tooluse_a', name: 'get_weather', argumentsJson: '{"city":"Oslo"}' },
      { kind: 'tool-call', id: 'tooluse_b', name: 'get_time', argumentsJson: '{"zone":"UTC"}' },
      { kind: 'tool-call', id: 'tooluse_c', name: 'ping', argumentsJson: '{}' },
    ])
  })

  it('[P17] ends thinking with its signature before anything else is said', () => {
    const frames = bedrockFrames(bedrockAnswers.reasoningThenTools)
    const kinds = read(frames).map((part) => part.kind)
    const expected = ['reasoning-added', 'reasoning-added', 'reasoning-signed', 'reasoning-encrypted']
    expect(kinds.slice(0, 5)).toEqual([...expected, 'tool-call-started'])
    const withoutStops = frames.filter((frame) => !frame.includes('contentBlockStop'))
    expect(joined(read(withoutStops))).toEqual(joined(read(frames)))
    expect(joined(read(frames)).parts.slice(0, 2)).toEqual([
      { kind: 'reasoning', text: 'Let me think.', signature: thinkingSignature, format: 'anthropic' },
      { kind: 'reasoning', text: '', encrypted: redactedThinking, format: 'anthropic' },
    ])
  })

  it('joins redacted thinking that came in pieces', () => {
    const parts = read([piece('ab'), piece('cde'), eventOf('contentBlockStop', { contentBlockIndex: 0 })])
    const data = Buffer.from('abcde').toString('base64')
    expect(parts).toEqual([{ kind: 'reasoning-encrypted', choice: 0, data, format: 'anthropic' }])
  })

  it('keeps the tools of Amazon’s own side as they are', () => {
    const block = { contentBlockIndex: 0 }
    const use = { name: 'nova_grounding', toolUseId: 'tooluse_g', type: 'server_tool_use' }
    const parts = read([
      eventOf('contentBlockStart', { ...block, start: { toolUse: use } }),
      eventOf('contentBlockDelta', { ...block, delta: { toolUse: { input: '{"query":"x"}' } } }),
      eventOf('contentBlockStop', block),
      eventOf('contentBlockStart', { ...block, start: { toolResult: { toolUseId: 'tooluse_g', status: 'success' } } }),
      eventOf('contentBlockDelta', { ...block, delta: { toolResult: [{ text: 'found' }] } }),
      eventOf('contentBlockStop', block),
    ])
    const result = { toolUseId: 'tooluse_g', status: 'success', content: [{ text: 'found' }] }
    expect(parts.map((part) => (part.kind === 'opaque-added' ? part.part.value : part.kind))).toEqual([
      { toolUse: { ...use, input: { query: 'x' } } },
      { toolResult: result },
    ])
  })

  it('passes over events and deltas that nobody has told us of', () => {
    const unknown = [
      eventOf('somethingNew', { a: 1 }),
      eventOf('contentBlockDelta', { contentBlockIndex: 0, delta: { citation: { title: 'x' } } }),
      eventOf('contentBlockDelta', { contentBlockIndex: 7, delta: { toolUse: { input: '{}' } } }),
    ]
    expect(read(unknown)).toEqual([])
  })
})

describe('a stream of Converse that breaks', () => {
  it('[CHAT-42] ends in a failure with the status that it would have had before the stream', () => {
    const parts = read([...bedrockFrames(brokenBedrockAnswer), ...bedrockFrames(bedrockAnswers.text)])
    expect(parts.at(-1)).toEqual({ kind: 'failed', message: 'Too many requests', code: 429 })
    expect(parts.map((part) => part.kind)).toEqual(['text-added', 'text-added', 'text-added', 'failed'])
  })

  it.each([
    ['internalServerException', { message: 'x' }, { message: 'x', code: 500 }],
    ['validationException', { message: 'x' }, { message: 'x', code: 400 }],
    ['serviceUnavailableException', { message: 'x' }, { message: 'x', code: 503 }],
    ['modelStreamErrorException', { originalMessage: 'x', originalStatusCode: 429 }, { message: 'x', code: 429 }],
    ['newException', {}, { message: 'The upstream aborted the response (new).', code: 500 }],
  ])('tells what an %s means', (type, payload, expected) => {
    expect(read([exceptionOf(type, payload)])).toEqual([{ kind: 'failed', ...expected }])
  })

  it('reads errors that have no model', () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalServerException', ':error-message': 'Broken' }
    expect(read([eventFrame(headers, '')])).toEqual([{ kind: 'failed', message: 'Broken', code: 500 }])
  })

  it('fails at a wrong checksum and says nothing afterwards', () => {
    const frames = bedrockFrames(bedrockAnswers.text)
    const third = frames[2]
    assert(third !== undefined, 'the stream has three frames')
    third.writeUInt8(third.readUInt8(third.length - 1) ^ 1, third.length - 1)
    const parts = read(frames)
    expect(parts.map((part) => part.kind)).toEqual(['text-added', 'failed'])
  })

  it('fails at an event that is not JSON', () => {
    const frame = eventFrame({ ':message-type': 'event', ':event-type': 'messageStop' }, '{"stop')
    expect(read([frame]).map((part) => part.kind)).toEqual(['failed'])
  })

  it('[P18] says no more than it heard when it ends early', () => {
    const whole = Buffer.concat(bedrockFrames(bedrockAnswers.text))
    const kinds = read([whole.subarray(0, -10)]).map((part) => part.kind)
    expect(kinds).toEqual(['text-added', 'text-added', 'text-added', 'finished'])
  })
})

describe('a document of Converse', () => {
  it('keeps blocks that only Amazon knows', () => {
    const value = { somethingNew: { a: [1] } }
    const document = readDocument(Buffer.from(JSON.stringify(bedrockBody({ blocks: [{ kind: 'other', value }] }))))
    assert(document.ok, 'the document is an answer')
    expect(document.reply.choices[0]?.parts).toEqual([{ kind: 'opaque', protocol: 'bedrock', value }])
  })

  it.each(['', 'null', '{"message":"Busy"}', '{"output":{}}', '[]'])('is a failure when it is %j', (text) => {
    expect(readDocument(Buffer.from(text))).toMatchObject({ ok: false })
  })
})

function piece(text: string): Buffer {
  const redactedContent = Buffer.from(text).toString('base64')
  return eventOf('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent } } })
}

function read(pieces: readonly Buffer[]): StreamPart[] {
  const reader = createStreamReader()
  return [...pieces.flatMap((bytes) => reader.push(bytes)), ...reader.end()]
}

interface Joined {
  parts: Part[]
  finish: { reason: string; native: string | null; stopSequence: string | undefined } | null
  usage: UsageClasses | null
  failures: string[]
}

/** The joined output of a finished stream. */
function joined(parts: readonly StreamPart[]): Joined {
  const result: Joined = { parts: [], finish: null, usage: null, failures: [] }
  for (const part of parts) {
    if (part.kind === 'usage-counted') result.usage = part.usage
    else if (part.kind === 'failed') result.failures.push(part.message)
    else if (part.kind === 'finished') {
      result.finish = { reason: part.reason, native: part.native, stopSequence: part.stopSequence }
    } else joinInto(result.parts, part)
  }
  return result
}

function joinInto(said: Part[], part: StreamPart): void {
  const last = said.at(-1)
  if (part.kind === 'text-added') {
    if (last?.kind === 'text') said.splice(-1, 1, { ...last, text: last.text + part.text })
    else said.push({ kind: 'text', text: part.text })
  } else if (part.kind === 'reasoning-added') {
    const isSame = last?.kind === 'reasoning' && last.signature === undefined
    if (isSame) said.splice(-1, 1, { ...last, text: last.text + part.text })
    else said.push({ kind: 'reasoning', text: part.text, format: part.format })
  } else if (part.kind === 'reasoning-signed') {
    const { signature, format } = part
    if (last?.kind === 'reasoning') said.splice(-1, 1, { ...last, signature })
    else said.push({ kind: 'reasoning', text: '', signature, format })
  } else if (part.kind === 'reasoning-encrypted') {
    said.push({ kind: 'reasoning', text: '', encrypted: part.data, format: part.format })
  } else if (part.kind === 'tool-call-started') {
    said.push({ kind: 'tool-call', id: part.id, name: part.name, argumentsJson: '' })
  } else if (part.kind === 'tool-call-added') {
    const at = said.flatMap((each, position) => (each.kind === 'tool-call' ? [position] : []))[part.index] ?? -1
    const call = said[at]
    if (call?.kind === 'tool-call') said.splice(at, 1, { ...call, argumentsJson: call.argumentsJson + part.json })
  }
}
