import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookDelivery, WebhookRoom } from '#ports/webhooks.ts'
import { type RunningParts, runParts } from '#test/setup/run-parts.ts'
import { runWebhooks } from './run-webhooks.ts'

const delivery = (id: string): WebhookDelivery => ({
  id,
  walletId: 'acme',
  url: `https://${id}.example.com`,
  body: '{}',
  attempts: 0,
  createdAtMs: 0,
  secret: null,
})

const running: RunningParts[] = []
let unanswered = Promise.withResolvers<number>()
beforeEach(() => {
  unanswered = Promise.withResolvers<number>()
})
afterEach(async () => {
  unanswered.resolve(204)
  for (const parts of running.splice(0)) await parts.stop()
})

/** A runner over due deliveries; the receiver of `slow` never answers. */
function runnerOf(due: WebhookDelivery[], atOnce: number, beforeClaim = async () => {}) {
  const seen = { rooms: [] as WebhookRoom[], called: [] as string[], delivered: [] as string[] }
  const runner = runWebhooks({
    queue: {
      claim: async (room) => {
        seen.rooms.push(room)
        await beforeClaim()
        return due.splice(0, room.atMost)
      },
      delivered: async ({ id }) => void seen.delivered.push(id),
      failed: async () => {},
    },
    client: {
      call: async ({ id }) => {
        seen.called.push(id)
        return id === 'slow' ? unanswered.promise : 204
      },
    },
    pauseMs: 1_000,
    timeoutMs: 10_000,
    atOnce,
    perAccountMax: 3,
    busyAccounts: () => ['flood'],
    nowMs: () => 0,
    onFailed: () => {},
    onError: (error) => {
      throw error
    },
  })
  return { runner, seen }
}

function start(due: WebhookDelivery[], atOnce: number) {
  const { runner, seen } = runnerOf(due, atOnce)
  running.push(runParts([{ name: 'webhooks', everyMs: 1, ...runner }]))
  return seen
}

describe('[VIDEO-35] webhooks that are due', () => {
  it('do not wait for one that is not answered', async () => {
    const seen = start([delivery('slow'), delivery('quick'), delivery('next')], 2)
    await expect.poll(() => seen.delivered).toEqual(['quick', 'next'])
    expect(seen.called).toEqual(['slow', 'quick', 'next'])
  })

  it('[B4] are claimed with so many of one account, and none of accounts that are busy', async () => {
    const seen = start([delivery('quick')], 2)
    await expect.poll(() => seen.delivered).toEqual(['quick'])
    expect(seen.rooms[0]).toEqual({ atMost: 2, perAccountMax: 3, busyAccounts: ['flood'] })
  })

  it('are no more at once than may be', async () => {
    const seen = start([delivery('slow'), delivery('quick')], 1)
    await expect.poll(() => seen.called).toEqual(['slow'])
    const looks = seen.rooms.length
    unanswered.resolve(204)
    await expect.poll(() => seen.delivered).toEqual(['slow', 'quick'])
    expect(seen.rooms.slice(0, looks).map(({ atMost }) => atMost)).toEqual([1])
  })

  it('are looked for at the pace of the interval, even where one ended while the last room was filled', async () => {
    const due = [delivery('slow')]
    const { runner, seen } = runnerOf(due, 2, async () => {
      if (seen.called.length === 0) return
      unanswered.resolve(204)
      await expect.poll(() => seen.delivered).toEqual(['slow'])
    })
    const { signal } = new AbortController()
    await runner.run(signal)
    due.push(delivery('next'))
    expect(await runner.run(signal)).toBeUndefined()
    await runner.end()
    expect(seen.rooms.map(({ atMost }) => atMost)).toEqual([2, 1])
    expect(seen.delivered).toEqual(['slow', 'next'])
  })
})
