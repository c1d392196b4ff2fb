import { describe, expect, it } from 'vitest'
import type { ConversationDialect, StreamWriter } from '#dialects/dialect.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { publicText } from '#lib/public-text.ts'
import type { DocumentRead, Protocol } from '#providers/protocol.ts'
import { vendors } from '#providers/registry.ts'
import { recordedContext } from '#test/streams/read-recorded.ts'
import type { AnswerListener, AnswerReader } from '../../types.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'

const usage = { ...noUsage, uncachedInput: 3, textOutput: 4 }
const said = (text: string): StreamPart => ({ kind: 'text-added', choice: 0, text })
const finished: StreamPart = { kind: 'finished', choice: 0, reason: 'stop', native: 'STOP' }
const counted = (isFinal: boolean): StreamPart => ({ kind: 'usage-counted', usage, isFinal })
const ended: StreamPart = { kind: 'ended' }
const failed: StreamPart = { kind: 'failed', message: 'Busy.' }
const error = new GatewayError('internal', { message: 'No ledger.' })

/** A dialect that writes a part as its kind and text. */
const writer = (): StreamWriter => ({
  write: (part) => `<${part.kind}${'text' in part ? ` ${part.text}` : ''}>`,
  close: (charged) => `<close ${charged?.cost} for ${charged?.usage.textOutput}>`,
  fail: ({ message }) => `<fail ${message}>`,
})
const dialect = {
  createWriter: writer,
  renderDocument: (reply: CanonicalReply, charged: { cost: bigint } | null) =>
    `${reply.choices.length} choices for ${charged?.cost}`,
} as unknown as ConversationDialect

/** A protocol whose bytes are JSON arrays of parts; `atEnd` follows when the connection closes. */
function protocolOf(atEnd: StreamPart[] = [], read?: DocumentRead): Protocol {
  return {
    createStreamReader: () => ({
      push: (bytes: Buffer) => JSON.parse(String(bytes)) as StreamPart[],
      end: () => atEnd,
    }),
    readDocument: () => read ?? expect.fail('no document is read'),
  } as unknown as Protocol
}

function recorder() {
  const log: unknown[] = []
  const listener: AnswerListener = {
    opened: () => log.push('opened'),
    bytes: (bytes) => log.push(String(bytes)),
    unusable: (failure) => log.push(failure),
    done: (answer, close) => log.push(answer, close(nanoUsd(5n))),
  }
  return { log, listener }
}

const feed = (reader: AnswerReader, ...parts: StreamPart[]) => reader.data(Buffer.from(JSON.stringify(parts)))
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

function streaming(atEnd: StreamPart[] = []) {
  const { log, listener } = recorder()
  const pair = { dialect, protocol: protocolOf(atEnd), vendor: vendors.openai }
  return { log, reader: new CanonicalStreamReader(recordedContext, pair, listener) }
}

const answer = { usage, finishReason: 'stop', nativeFinishReason: 'STOP' }
const empty = { kind: 'empty', message: 'The upstream returned an empty response.' }
const broken = { kind: 'broken', message: 'The upstream ended its stream early.' }

describe('a translated stream', () => {
  it('begins with something of substance; what came before goes with it', async () => {
    const { log, reader } = streaming()
    feed(reader, counted(false))
    await tick()
    expect(log).toEqual([])
    feed(reader, said('Hel'), said('lo'))
    expect(log).toEqual(['opened'])
    await tick()
    expect(log).toEqual(['opened', '<usage-counted><text-added Hel><text-added lo>'])
  })

  it('is complete at its end mark, and shows its cost', async () => {
    const { log, reader } = streaming()
    feed(reader, said('Hello'), finished, counted(true), ended, said('more'))
    expect(log).toEqual(['opened', '<text-added Hello><finished><usage-counted>', answer, '<close 5 for 4>'])
    feed(reader, said('late'))
    reader.end()
    await tick()
    expect(log).toHaveLength(4)
  })

  it('is complete without an end mark, once it has a finish reason', () => {
    const { log, reader } = streaming([counted(true)])
    feed(reader, said('Hello'), finished)
    reader.end()
    expect(log.slice(-2)).toEqual([answer, '<close 5 for 4>'])
  })

  it('is complete with an end mark alone, once something was said', () => {
    const { log, reader } = streaming()
    feed(reader, said('Hello'), ended)
    expect(log.at(-2)).toEqual({ usage: null, finishReason: null, nativeFinishReason: null })
    expect(log.at(-1)).toBe('<close undefined for undefined>')
  })

  it('is complete where nothing was said, but all was counted and ended', () => {
    const { log, reader } = streaming()
    feed(reader, counted(true), ended)
    expect(log).toEqual([
      'opened',
      '<usage-counted>',
      { usage, finishReason: null, nativeFinishReason: null },
      '<close 5 for 4>',
    ])
  })

  it.each<[string, StreamPart[], object]>([
    ['nothing', [], empty],
    ['its end alone', [ended], empty],
    ['usage alone', [counted(true)], empty],
    ['an early end', [said('Hel')], broken],
    ['an early end after usage', [said('Hel'), counted(true)], broken],
    ['an error', [said('Hel'), failed, said('more')], { kind: 'error', message: 'Busy.' }],
  ])('is of no use with %s', (_what, parts, failure) => {
    const { log, reader } = streaming()
    feed(reader, ...parts)
    reader.end()
    expect(log.at(-1)).toEqual(failure)
    expect(log.filter((line) => typeof line === 'object')).toHaveLength(1)
  })

  it('sends what it has before it fails', () => {
    const { log, reader } = streaming()
    feed(reader, said('Hel'), failed)
    expect(log).toEqual(['opened', '<text-added Hel>', { kind: 'error', message: 'Busy.' }])
  })

  it('is billed if its client leaves once its usage is final', () => {
    const { reader } = streaming()
    feed(reader, said('Hello'), counted(false))
    expect(reader.finalAnswer).toBeNull()
    feed(reader, finished)
    expect(reader.finalAnswer).toBeNull()
    feed(reader, counted(true))
    expect(reader.finalAnswer).toEqual(answer)
    feed(reader, counted(false))
    expect(reader.finalAnswer).toEqual(answer)
  })

  it('counts a token for each part, or four characters for one', () => {
    const { reader } = streaming()
    expect(reader.outputTokensEstimate).toBe(0)
    feed(reader, said('a'), said('b'), counted(false))
    expect(reader.outputTokensEstimate).toBe(2)
    feed(reader, said('x'.repeat(11)))
    expect(reader.outputTokensEstimate).toBe(4)
    feed(reader, { kind: 'tool-call-added', choice: 0, index: 0, json: 'y'.repeat(8) }, finished)
    expect(reader.outputTokensEstimate).toBe(6)
  })

  it('ends with an error behind what was not sent yet', async () => {
    const { log, reader } = streaming()
    feed(reader, said('Hel'))
    expect(reader.fail(error)).toBe('<text-added Hel><fail No ledger.>')
    await tick()
    expect(log).toEqual(['opened'])
  })
})

const reply: CanonicalReply = {
  choices: [{ parts: [{ kind: 'text', text: 'Hello' }], finishReason: 'stop', nativeFinishReason: 'STOP' }],
  usage,
}

function whole(wants: { stream: boolean; isStream: boolean }, read?: DocumentRead, atEnd: StreamPart[] = []) {
  const { log, listener } = recorder()
  const pair = { dialect, protocol: protocolOf(atEnd, read), vendor: vendors.openai }
  const reader = new CanonicalWholeReader({ ...recordedContext, answerBytesMax: 400 }, pair, wants, listener)
  return { log, reader }
}

describe('a translated answer that is used whole', () => {
  it('is a document with its cost', () => {
    const { log, reader } = whole({ stream: false, isStream: false }, { ok: true, reply })
    reader.data(Buffer.from('{}'))
    expect(log).toEqual([])
    reader.end()
    expect(log).toEqual(['opened', answer, '1 choices for 5'])
    reader.end()
    expect(log).toHaveLength(3)
  })

  it('is parts and a last frame where a stream was asked for', () => {
    const { log, reader } = whole({ stream: true, isStream: false }, { ok: true, reply })
    reader.data(Buffer.from('{}'))
    reader.end()
    expect(log).toEqual(['opened', '<text-added Hello><finished>', answer, '<close 5 for 4>'])
  })

  it('has no parts where nothing was said', () => {
    const silent = { choices: [{ parts: [], finishReason: null, nativeFinishReason: null }], usage: null }
    const { log, reader } = whole({ stream: true, isStream: false }, { ok: true, reply: silent })
    reader.data(Buffer.from('{}'))
    reader.end()
    expect(log).toEqual([
      'opened',
      { usage: null, finishReason: null, nativeFinishReason: null },
      '<close undefined for undefined>',
    ])
  })

  it('may have come as a stream', () => {
    const { log, reader } = whole({ stream: false, isStream: true }, undefined, [counted(true), ended])
    feed(reader, said('Hel'), said('lo'), finished)
    reader.end()
    expect(log).toEqual(['opened', answer, '1 choices for 5'])
  })

  it.each<[string, StreamPart[], object]>([
    ['an error', [said('Hel'), failed], { kind: 'error', message: 'Busy.' }],
    ['an early end', [said('Hel')], broken],
  ])('is of no use as a stream with %s', (_what, parts, failure) => {
    const { log, reader } = whole({ stream: false, isStream: true })
    feed(reader, ...parts)
    reader.end()
    expect(log).toEqual([failure])
  })

  it('is of no use where it is empty, without choices, refused or too large', () => {
    const none = whole({ stream: false, isStream: false })
    none.reader.end()
    expect(none.log).toEqual([empty])
    const bare = whole({ stream: false, isStream: false }, { ok: true, reply: { choices: [], usage } })
    bare.reader.data(Buffer.from('{}'))
    bare.reader.end()
    expect(bare.log).toEqual([{ kind: 'empty', message: 'The upstream returned a response without content.' }])
    const refused = whole({ stream: false, isStream: false }, { ok: false, failure: { message: publicText('Busy.') } })
    refused.reader.data(Buffer.from('{}'))
    refused.reader.end()
    expect(refused.log).toEqual([{ kind: 'error', message: 'Busy.' }])
    const large = whole({ stream: false, isStream: false })
    large.reader.data(Buffer.alloc(401))
    large.reader.data(Buffer.alloc(401))
    large.reader.end()
    expect(large.log).toEqual([{ kind: 'oversize', message: 'The upstream response is too large.' }])
  })

  it('is billed when it is here, and not before', () => {
    const { reader } = whole({ stream: false, isStream: false })
    expect(reader.finalAnswer).toBeNull()
    expect(reader.outputTokensEstimate).toBe(0)
    expect(reader.fail(error)).toBe('<fail No ledger.>')
  })
})
