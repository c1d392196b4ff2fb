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
