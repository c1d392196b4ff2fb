import { describe, expect, it } from 'vitest'
import { readEvents } from '#dialects/responses/fixtures/read-events.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
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

function frame(text: string): Buffer {
  const candidates = [{ index: 0, content: { role: 'model', parts: [{ text }] } }]
  return Buffer.from(`data: ${JSON.stringify({ candidates })}\n\n`)
}

describe('a translated stream', () => {
  it('[RESP-22] [RESP-28] that is cut off in the middle of a read misses none of its events', async () => {
    let sent = ''
    let isCut = false
    const reader = new CanonicalStreamReader(
      context,
      { dialect: responsesDialect, protocol: protocolOf(vendor), vendor },
      {
        opened: () => {},
        bytes: (bytes) => {
          if (!isCut) sent += String(bytes)
        },
        unusable: () => {},
        done: () => {},
      },
    )
    reader.data(frame('Hel'))
    await new Promise((resolve) => setImmediate(resolve))
    reader.data(frame('lo'))
    isCut = true
    const events = readEvents(sent + reader.fail(new GatewayError('insufficientCredits', { message: 'Top up.' })))
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
    expect(deltas.join('')).toBe('Hello')
    expect(events.at(-1)?.type).toBe('response.failed')
  })
})
