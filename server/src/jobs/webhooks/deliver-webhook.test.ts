import { describe, expect, it } from 'vitest'
import type { WebhookDelivery } from '#ports/webhooks.ts'
import { nextTryIn } from './run-webhooks.ts'

const hourMs = 3_600_000
const startMs = 1_800_000_000_000

const delivery = (attempts: number): WebhookDelivery => ({
  id: '0190a2b4-6c00-7000-8000-000000000001',
  walletId: '0190a2b4-6c00-7000-8000-000000000002',
  url: 'https://hooks.example.com',
  body: '{}',
  attempts,
  createdAtMs: startMs,
  secret: null,
})

describe('[VIDEO-35] the next try of a webhook', () => {
  it('comes after twice the pause before, up to an hour', () => {
    const pauses = [0, 1, 2, 3, 10, 20, 1_000].map((attempts) => nextTryIn(delivery(attempts), 5_000, startMs))
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, hourMs, hourMs, hourMs])
  })

  it('does not come once a day would be over', () => {
    const nowMs = startMs + 23 * hourMs
    expect(nextTryIn(delivery(20), 5_000, nowMs)).toBe(hourMs)
    expect(nextTryIn(delivery(20), 5_000, nowMs + 1)).toBeNull()
    expect(nextTryIn(delivery(0), 5_000, startMs + 24 * hourMs)).toBeNull()
  })
})
