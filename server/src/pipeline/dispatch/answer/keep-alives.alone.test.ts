import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientConnection } from '../../types.ts'
import { createKeepAlives, type KeepAlives } from './keep-alives.ts'

describe('keep-alives', () => {
  let keepAlives: KeepAlives

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
    keepAlives = createKeepAlives({ everyMs: 15_000, nowMs: Date.now })
  })
  afterEach(() => {
    keepAlives.stop()
    vi.useRealTimers()
  })

  it('[STREAM-03] come at most 15 seconds after the request and after each other', () => {
    const connection = fakeConnection()
    const starts: number[] = []
    keepAlives.watch(connection, { bytes: ': quiet\n\n' }, () => starts.push(Date.now()))
    vi.advanceTimersByTime(60_000)
    const moments = [1_000_000, ...connection.writtenAtMs]
    const gaps = moments.slice(1).map((moment, position) => moment - (moments[position] ?? 0))
    expect(connection.writtenAtMs.length).toBeGreaterThanOrEqual(4)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15_000)
    expect(starts.length).toBe(connection.writtenAtMs.length)
  })

  it('are not sent while something else is', () => {
    const connection = fakeConnection()
    keepAlives.watch(connection, { bytes: ': quiet\n\n' }, () => {})
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1_000)
      connection.quietSinceMs = Date.now()
    }
    expect(connection.writtenAtMs).toEqual([])
  })

  it('[P20] forget clients who have gone and answers that have ended', () => {
    const [gone, ended, open] = [fakeConnection(), fakeConnection(), fakeConnection()]
    for (const connection of [gone, ended, open]) keepAlives.watch(connection, { bytes: ': quiet\n\n' }, () => {})
    gone.gone = true
    ended.quietSinceMs = Number.POSITIVE_INFINITY
    vi.advanceTimersByTime(2_000)
    expect(keepAlives.watched).toBe(1)
  })

  it('drop a client who reads nothing for two minutes, and send it no comments meanwhile', () => {
    const connection = fakeConnection()
    keepAlives.watch(connection, { bytes: ': quiet\n\n' }, () => {})
    connection.blockedSinceMs = Date.now()
    vi.advanceTimersByTime(119_000)
    expect(connection.gone).toBe(false)
    vi.advanceTimersByTime(3_000)
    expect(connection.gone).toBe(true)
    expect(connection.writtenAtMs).toEqual([])
  })
})

interface FakeConnection extends ClientConnection {
  gone: boolean
  quietSinceMs: number
  blockedSinceMs: number | null
  writtenAtMs: number[]
}

function fakeConnection(): FakeConnection {
  const connection: FakeConnection = {
    gone: false,
    streaming: false,
    quietSinceMs: Date.now(),
    blockedSinceMs: null,
    drop: () => {
      connection.gone = true
    },
    writtenAtMs: [],
    onGone: () => {},
    onSent: () => {},
    onDrain: () => {},
    startStream: () => {},
    end: () => {},
    write: () => {
      connection.quietSinceMs = Date.now()
      connection.writtenAtMs.push(Date.now())
      return true
    },
  }
  return connection
}
