import { describe, expect, it } from 'vitest'
import { readEvents } from '#dialects/responses/fixtures/read-events.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'
import type { ReaderContext } from './reader-context.ts'

const context: ReaderContext = {
  id: 'gen-1',
  createdS: 1_790_000_000,
  model: 'maker/model',
  requestBody: {},
  excludeReasoning: false,
  frameBytesMax: 100_000,
  answerBytesMax: 100_000,
}
const vendor = vendors['google-ai-studio']

describe('a document that is given out as a stream', () => {
  it('[RESP-22] [RESP-28] goes on where it was when it can not be settled', () => {
    let sent = ''
    const reader = new CanonicalWholeReader(
      context,
      { dialect: responsesDialect, protocol: protocolOf(vendor), vendor },
      { stream: true, isStream: false },
      {
        opened: () => {},
        bytes: (bytes) => {
          sent += String(bytes)
        },
        unusable: () => {},
        done: () => {},
      },
    )
    const candidates = [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }]
    reader.data(Buffer.from(JSON.stringify({ candidates })))
    reader.end()
    const events = readEvents(sent + reader.fail(new GatewayError('internal', { message: 'No ledger.' })))
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    expect(events.at(-1)?.type).toBe('response.failed')
  })
})

/** The outcome of these bytes: the reason why they are unusable, or that they are a response. */
function fateOf(bytes: Buffer, { name = 'google-ai-studio', isStream = false }: { name?: Spoken; isStream?: boolean }) {
  const spoken = vendors[name]
  let fate: unknown = 'nothing'
  const reader = new CanonicalWholeReader(
    { ...context, answerBytesMax: 2_000 },
    { dialect: responsesDialect, protocol: protocolOf(spoken), vendor: spoken },
    { stream: false, isStream },
    {
      opened: () => {},
      bytes: () => {},
      unusable: ({ kind }) => {
        fate = kind
      },
      done: () => {
        fate = 'answer'
      },
    },
  )
  reader.data(bytes)
  reader.end()
  return fate
}
type Spoken = 'google-ai-studio' | 'anthropic' | 'amazon-bedrock'
const json = (value: object) => Buffer.from(JSON.stringify(value))
const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const opening = event('message_start', {
  message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 3 } },
})
const overloaded = { error: { type: 'overloaded_error', message: 'Overloaded' } }

describe('an answer that is read as a whole', () => {
  it.each<[string, Spoken, Buffer, string]>([
    ['nothing', 'google-ai-studio', Buffer.alloc(0), 'empty'],
    ['nothing', 'anthropic', Buffer.alloc(0), 'empty'],
    ['nothing', 'amazon-bedrock', Buffer.alloc(0), 'empty'],
    ['no JSON', 'google-ai-studio', Buffer.from('<html>'), 'error'],
    ['no JSON', 'anthropic', Buffer.from('{"type":"mess'), 'error'],
    ['no JSON', 'amazon-bedrock', Buffer.from('busy'), 'error'],
    ['an error', 'google-ai-studio', json({ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }), 'error'],
    ['an error', 'anthropic', json({ type: 'error', ...overloaded }), 'error'],
    ['no choices', 'google-ai-studio', json({ candidates: [] }), 'error'],
    ['too much', 'anthropic', Buffer.alloc(2_001, ' '), 'oversize'],
  ])('is of no use with %s from %s', (_what, name, bytes, kind) => {
    expect(fateOf(bytes, { name })).toBe(kind)
  })

  it.each([
    ['an error in the middle', opening + event('error', overloaded), 'error'],
    ['an early end', opening, 'broken'],
    ['nothing between its ends', event('message_stop', {}), 'empty'],
  ])('is of no use as a stream with %s', (_what, text, kind) => {
    expect(fateOf(Buffer.from(text), { name: 'anthropic', isStream: true })).toBe(kind)
  })

  it('is an answer otherwise', () => {
    const candidates = [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }]
    expect(fateOf(json({ candidates }), {})).toBe('answer')
  })
})
