import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { turn } from '#test/streams/hedged-stage.ts'
import { recordingConnection, testTicket } from '#test/streams/test-ticket.ts'
import type { Answer, CachedAnswer, Ticket } from '../../types.ts'
import { KeptAttempt } from './kept-attempt.ts'

const answer: Answer = { usage: { ...noUsage, textOutput: 3 }, finishReason: 'stop', nativeFinishReason: 'end' }

/** Starts to send a kept answer, and records what its client and its watcher get. */
function begin({ stream = true, body = '', contentType, output = null, isFull = false }: Partial<Kept> = {}) {
  const log: string[] = []
  const drains: (() => void)[] = []
  const connection = {
    ...recordingConnection(),
    write: (bytes: Buffer | string) => {
      log.push(`write ${bytes.length}`)
      return !isFull
    },
    onDrain: (listener: () => void) => void drains.push(listener),
    onSent: (listener: () => void) => {
      log.push('on sent')
      listener()
    },
  }
  const made = testTicket({}, connection)
  const ticket: Ticket = { ...made, plan: { ...made.plan, call: { ...made.plan.call, stream } } }
  const cached: CachedAnswer = {
    from: ticket.arrival.generationId,
    status: 203,
    ...(contentType === undefined ? {} : { contentType }),
    ignored: [],
    answer,
    body: () => ({ bytes: Buffer.from(body), release: () => log.push('released') }),
    end: (cost) => `cost ${cost}`,
    output: () => output,
  }
  const attempt = new KeptAttempt({
    ticket,
    cached,
    watcher: {
      onOpened: (type) => log.push(`opened as ${type}`),
      onEnd: (end) => log.push(end.kind === 'complete' ? `end: ${end.close(nanoUsd(5n))}` : 'failed'),
      onOutput: () => log.push('output'),
    },
  })
  return { attempt, log, ticket, drain: () => drains.shift()?.() }
}

interface Kept {
  stream: boolean
  body: string
  contentType: string | undefined
  output: CachedAnswer extends { output(): infer Items } ? Items : never
  isFull: boolean
}

describe('a kept answer as an attempt', () => {
  it('[NEXT-83] is complete at once as a document', async () => {
    const { attempt, log } = begin({ stream: false })
    const result = await attempt.result
    expect(result).toMatchObject({ kind: 'complete', answer })
    expect(result).not.toHaveProperty('contentType')
    expect(result.kind === 'complete' ? result.close(nanoUsd(7n)) : '').toBe('cost 7')
    expect(log).toEqual([])
    const typed = begin({ stream: false, contentType: 'text/plain' })
    expect(await typed.attempt.result).toMatchObject({ contentType: 'text/plain' })
    expect([attempt.status, attempt.finalAnswer, attempt.outputTokensSeen, attempt.failFrames()]).toEqual([
      203,
      null,
      0,
      undefined,
    ])
  })

  it('[NEXT-83] is sent as a stream, after its watcher knows the attempt', async () => {
    const { attempt, log } = begin({ body: 'abc' })
    expect(log).toEqual([])
    expect(await attempt.result).toEqual({ kind: 'opened' })
    expect(log).toEqual(['opened as undefined', 'on sent', 'released', 'write 3', 'end: cost 5'])
    const short = begin({ contentType: 'audio/x' })
    await turn()
    expect(short.log).toEqual(['opened as audio/x', 'end: cost 5'])
  })

  it('waits for a client that does not read', async () => {
    const { log, drain } = begin({ body: 'a'.repeat(600_000), isFull: true })
    await turn()
    const sent = (): string[] => log.filter((line) => line.startsWith('write') || line.startsWith('end'))
    expect(sent()).toEqual(['write 262144'])
    drain()
    expect(sent()).toEqual(['write 262144', 'write 262144'])
    drain()
    // Nothing waits for the last piece.
    expect(sent()).toEqual(['write 262144', 'write 262144', 'write 75712', 'end: cost 5'])
  })

  it('sends one piece after the other to a client that reads', async () => {
    const { log } = begin({ body: 'a'.repeat(524_288) })
    await turn()
    expect(log.slice(3)).toEqual(['write 262144', 'write 262144', 'end: cost 5'])
  })

  it('[NEXT-116] stops when its client disconnects, and bills nothing', async () => {
    const early = begin({ body: 'abc' })
    expect(early.attempt.abandon()).toBeNull()
    expect(await early.attempt.result).toEqual({ kind: 'abandoned' })
    await turn()
    expect(early.log).toEqual([])
    const { attempt, log, drain } = begin({ body: 'a'.repeat(600_000), isFull: true })
    await turn()
    attempt.abandon()
    drain()
    expect(log.at(-1)).toBe('write 262144')
  })

  it('notes the output items with its end', async () => {
    const { ticket } = begin({ output: [{ id: 'msg_1' }] })
    await turn()
    expect(ticket.output).toEqual([{ id: 'msg_1' }])
    const without = begin({})
    await turn()
    expect(without.ticket).not.toHaveProperty('output')
  })
})
