import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Dialect } from '#dialects/dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Ticket } from '../../types.ts'
import { createFailFrames, keepAliveOf } from './stream-frames.ts'

interface Change {
  readonly dialect?: Dialect
  readonly wantsEvents?: boolean
  readonly stream?: boolean
  readonly imageCount?: number
}

const images = { wantsEvents: true, stream: true, imageCount: 1 }

function ticketOf({ dialect = chatDialect, wantsEvents = false, stream = true, imageCount }: Change): Ticket {
  const { call } = testTicket().plan
  const ticket = testTicket({ call: { ...call, stream, ...(imageCount === undefined ? {} : { imageCount }) } })
  return { ...ticket, arrival: { ...ticket.arrival, dialect, wantsEvents } }
}

describe('a silent stream', () => {
  it('of a conversation is kept alive with a comment of its dialect', () => {
    expect(keepAliveOf(ticketOf({}))).toBe(chatDialect.keepAlive)
  })

  it('of images whose client reads named events is kept alive with a heartbeat, every minute', () => {
    expect(keepAliveOf(ticketOf(images))).toEqual({ bytes: 'event: heartbeat\ndata: {}\n\n', everyMs: 60_000 })
  })

  it.each([
    { what: 'without named events', change: { ...images, wantsEvents: false } },
    { what: 'without a stream', change: { ...images, stream: false } },
    { what: 'without an image', change: { wantsEvents: true, stream: true } },
  ])('of a conversation $what has the comment', ({ change }) => {
    expect(keepAliveOf(ticketOf(change))).toBe(chatDialect.keepAlive)
  })

  it('of speech is left alone, because nothing may stand between its bytes', () => {
    expect(keepAliveOf(ticketOf({ dialect: speechDialect }))).toBeNull()
  })
})

describe('the end of a stream that failed before anything was written', () => {
  const error = new GatewayError('upstreamUnavailable', { message: 'The upstream is gone.' })

  function framesOf(change: Change): string | null {
    const ticket = ticketOf(change)
    const [candidate] = ticket.plan.candidates
    assert(candidate !== undefined, 'the ticket has a candidate')
    return createFailFrames({ frameBytesMax: 1_000, answerBytesMax: 1_000 })(ticket, candidate, error)
  }

  it('is told in the frames of the dialect', () => {
    const frames = framesOf({})
    expect(frames).toMatch(/^data: \{/)
    expect(frames).toContain('The upstream is gone.')
  })

  it('is a named event where the client reads those', () => {
    const frames = framesOf(images)
    expect(frames).toMatch(/^event: error\ndata: \{/)
    expect(frames).toContain('The upstream is gone.')
  })

  it('is a broken connection for audio, which has no place for words', () => {
    expect(framesOf({ dialect: speechDialect })).toBeNull()
  })
})
