import { describe, expect, it } from 'vitest'
import { Span } from '#domain/tracing/span.ts'
import { type FaultNotice, watchFault } from '#lib/fault-watch.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import type { PostedSpans } from '../events/post-spans.ts'
import { createSpanExporter, type ExportLimits } from './span-exporter.ts'

const taken: PostedSpans = { kind: 'taken', rejected: 0 }
const away: PostedSpans = { kind: 'busy', why: 'answered with 503', rejected: 0 }

/** Starts an exporter with a collector that answers as the test specifies, and counts its spans by outcome. */
function start(answer: (batch: string) => Promise<PostedSpans>, limits: Partial<ExportLimits> = {}) {
  const timers = createTestTimers()
  const posted: string[] = []
  const dropped: string[] = []
  const notices: FaultNotice[] = []
  let sent = 0
  const exporter = createSpanExporter({
    encode: (spans) => spans.map((span) => span.start.name).join(' '),
    post: (body) => {
      posted.push(body)
      return answer(body)
    },
    timers,
    fault: watchFault({ tell: (notice) => notices.push(notice), nowMs: timers.nowMs }),
    onSent: (count) => {
      sent += count
    },
    onDropped: (count, reason) => dropped.push(`${count} ${reason}`),
    limits: { queueMax: 6, batchMax: 3, everyMs: 1_000, pauseMinMs: 1_000, pauseMaxMs: 4_000, flushMs: 500, ...limits },
  })
  const take = (...names: string[]): void => names.forEach((name) => exporter.take(spanOf(name)))
  return { timers, posted, dropped, notices, take, close: exporter.close, sent: () => sent }
}

function spanOf(name: string): Span {
  const ids = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), parentSpanId: null, flags: 1, state: null }
  return new Span({ ...ids, isParentRemote: false, name, kind: 'internal', nowMs: () => 0, take: () => {} })
}

describe('a batch', () => {
  it('is sent when its first span has waited, with all that came meanwhile', async () => {
    const { timers, posted, take, sent } = start(async () => taken)
    take('a')
    await timers.pass(600)
    take('b')
    await timers.pass(399)
    expect(posted).toEqual([])
    await timers.pass(1)
    expect(posted).toEqual(['a b'])
    expect(sent()).toBe(2)
  })

  it('is sent at once when it is full, and the rest after it', async () => {
    const { timers, posted, take } = start(async () => taken)
    take('a', 'b', 'c', 'd')
    expect(posted).toEqual([])
    await timers.pass(0)
    expect(posted).toEqual(['a b c'])
    await timers.pass(1_000)
    expect(posted).toEqual(['a b c', 'd'])
  })

  it('goes out alone: the next waits for its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<PostedSpans>()
    const { timers, posted, take } = start(() => promise)
    take('a', 'b', 'c', 'd', 'e', 'f')
    await timers.pass(60_000)
    expect(posted).toEqual(['a b c'])
    resolve(taken)
    await timers.pass(0)
    expect(posted).toEqual(['a b c', 'd e f'])
  })

  it('that is refused is dropped and counted; so are single spans that are rejected', async () => {
    const answers: PostedSpans[] = [
      { kind: 'refused', why: 'answered with 400', rejected: 0 },
      { kind: 'taken', rejected: 1, remark: '1 spans were rejected: too old' },
      taken,
    ]
    const { timers, dropped, notices, take, sent } = start(async () => answers.shift() ?? taken)
    take('a', 'b', 'c')
    await timers.pass(0)
    take('d', 'e', 'f')
    await timers.pass(1_000)
    expect(dropped).toEqual(['3 refused', '1 refused'])
    expect(sent()).toBe(2)
    expect(notices).toMatchObject([{ kind: 'began', error: 'answered with 400' }])
    take('g')
    await timers.pass(1_000)
    expect(notices.map(({ kind, times }) => [kind, times])).toEqual([
      ['began', 1],
      ['over', 2],
    ])
  })

  it('has no more spans to drop than it has, whatever the collector says', async () => {
    const { timers, dropped, take, sent } = start(async () => ({ kind: 'taken', rejected: 1_000_000 }))
    take('a', 'b', 'c')
    await timers.pass(0)
    expect(dropped).toEqual(['3 refused'])
    expect(sent()).toBe(0)
  })
})

describe('a collector that is away', () => {
  it('is tried again after longer and longer pauses, and gets what the queue could hold', async () => {
    let isAway = true
    const { timers, posted, dropped, notices, take, sent } = start(async () => (isAway ? away : taken))
    take('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    expect(dropped).toEqual(['1 queue_full', '1 queue_full'])
    await timers.pass(0)
    for (const pauseMs of [1_000, 2_000, 4_000, 4_000]) {
      const { length } = posted
      await timers.pass(pauseMs - 1)
      expect(posted).toHaveLength(length)
      await timers.pass(1)
      expect(posted).toHaveLength(length + 1)
    }
    expect(notices).toMatchObject([{ kind: 'began' }])
    isAway = false
    await timers.pass(4_000)
    expect(posted.slice(-2)).toEqual(['a b c', 'd e f'])
    expect(sent()).toBe(6)
    expect(notices.at(-1)).toMatchObject({ kind: 'over', times: 5 })
  })

  it('may say itself when to come again, within the longest pause', async () => {
    const answers: PostedSpans[] = [
      { ...away, afterMs: 50 } as PostedSpans,
      { ...away, afterMs: 3_600_000 } as PostedSpans,
    ]
    const { timers, posted, take } = start(async () => answers.shift() ?? taken)
    take('a', 'b', 'c')
    await timers.pass(50)
    expect(posted).toHaveLength(2)
    await timers.pass(3_999)
    expect(posted).toHaveLength(2)
    await timers.pass(1)
    expect(posted).toHaveLength(3)
  })

  it('that breaks the connection is one that is away', async () => {
    const { timers, posted, take, notices } = start(() => Promise.reject(new Error('ECONNREFUSED')))
    take('a', 'b', 'c')
    await timers.pass(1_000)
    expect(posted).toEqual(['a b c', 'a b c'])
    expect(notices).toMatchObject([{ error: 'ECONNREFUSED' }])
  })
})

describe('stopping', () => {
  it('sends what waits, batch by batch', async () => {
    const { posted, dropped, take, close } = start(async () => taken)
    take('a', 'b', 'c', 'd')
    await close()
    expect(posted).toEqual(['a b c', 'd'])
    expect(dropped).toEqual([])
    take('e')
    expect(dropped).toEqual(['1 queue_full'])
  })

  it('gives up with the first batch that is not taken', async () => {
    const { posted, dropped, take, close } = start(async () => away)
    take('a', 'b', 'c', 'd')
    await close()
    expect(posted).toEqual(['a b c'])
    expect(dropped).toEqual(['4 stopped'])
  })

  it('does not wait longer than it may for a collector that says nothing', async () => {
    const { timers, dropped, take, close } = start(() => new Promise(() => {}))
    take('a')
    const closed = close()
    await timers.pass(499)
    expect(dropped).toEqual([])
    await timers.pass(1)
    await closed
    expect(dropped).toEqual(['1 stopped'])
  })
})
