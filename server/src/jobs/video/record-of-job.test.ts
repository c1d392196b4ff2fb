import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import type { Transition } from '#domain/video/job-machine.ts'
import { acceptedJob } from '#domain/video/video-job.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import { recordOfJob, storedUntil } from './move-job.ts'

const createdAtMs = 1_000_000

/** A job at a dollar per second and a cent per request. */
function jobWith(billing: Billing): ClaimedJob {
  const id = newUuid(createdAtMs)
  return {
    id,
    walletId: id,
    model: 'acme/film',
    candidates: [
      {
        accountId: 'acme',
        vendor: 'acme',
        upstreamModel: 'film',
        billing,
        price: { id: 'price', units: { per_second_output: '1', per_request: '0.01' }, tiers: [], rules: [] },
        details: {},
      },
    ],
    asker: {
      keyId: id,
      userId: null,
      organizationId: null,
      memberId: null,
      teamId: null,
      sessionId: null,
      appName: null,
      routing: null,
    },
    held: nanoUsd(5_010_000_000n),
    windows: [],
    ownUrl: 'https://weir.example',
    callbackUrl: null,
    createdAtMs,
    deadlineAtMs: createdAtMs + 1,
    progress: acceptedJob,
    claim: 1,
    openTask: () => {
      throw new Error('a record needs no content')
    },
  }
}

function recordOf(usage: Usage | null, billing: Billing = 'charged', money: Transition['money'] = 'charge') {
  const progress = { ...acceptedJob, state: 'completed', status: 'completed', usage } as const
  return recordOfJob(jobWith(billing), { progress, money }, createdAtMs + 1)
}

const seconds = (count: number): Usage => ({ ...noUsage, media: { outputVideoMs: count * 1_000 } })

describe('the charge for a video', () => {
  it('is what its seconds cost', () => {
    expect(recordOf(seconds(5))).toMatchObject({ cost: 5_010_000_000n, priceId: 'price', refundReason: null })
  })

  it.each([
    ['no usage at all', null, 'no_usage'],
    ['usage of zeros', noUsage, 'zero_usage'],
    ['seconds that came to none', seconds(0), 'zero_usage'],
    ['more than any request can come to', seconds(1_000_000), 'no_usage'],
  ])('is a refund for %s, as in every other request', (_what, usage, refundReason) => {
    expect(recordOf(usage)).toMatchObject({ cost: 0n, priceId: null, refundReason })
  })

  it('goes up to a million dollars', () => {
    expect(recordOf(seconds(999_999))).toMatchObject({ cost: 999_999_010_000_000n, refundReason: null })
  })

  it.each([
    ['free', 'free_tier'],
    ['own_key', 'own_key'],
    ['test', 'not_billed'],
  ] as const)('is a refund with the billing %s', (billing, refundReason) => {
    expect(recordOf(seconds(5), billing)).toMatchObject({ cost: 0n, priceId: null, refundReason })
  })

  it('is a refund with the reason of its failure', () => {
    expect(recordOf(null, 'charged', 'refund')).toMatchObject({ cost: 0n, refundReason: 'gateway_fault' })
  })
})

function discounted(usage: Usage | null, money: Transition['money'] = 'charge') {
  const job = jobWith('charged')
  const candidates = job.candidates.map((candidate) => ({ ...candidate, purchase: { discountPpm: 500_000 } }))
  const progress = { ...acceptedJob, state: 'completed', status: 'completed', usage } as const
  return recordOfJob({ ...job, candidates }, { progress, money }, createdAtMs + 1)
}

describe('the cost of a video to the operator', () => {
  it('is not stored where it is the charge', () => {
    expect(recordOf(seconds(5))).not.toHaveProperty('providerCost')
  })

  it('is what the provider bills after its discount', () => {
    expect(discounted(seconds(5))).toMatchObject({ cost: 5_010_000_000n, providerCost: 2_505_000_000n })
  })

  it('remains where the client gets a refund', () => {
    expect(discounted(seconds(5), 'refund')).toMatchObject({ cost: 0n, providerCost: 2_505_000_000n })
    expect(recordOf(seconds(5), 'charged', 'refund')).toMatchObject({ cost: 0n, providerCost: 5_010_000_000n })
  })

  it('is nothing where the provider reported no usage', () => {
    expect(discounted(null, 'refund')).not.toHaveProperty('providerCost')
  })
})

describe('P21: the videos of a job that is over', () => {
  const output = { mediaType: 'video/mp4', byteCount: 7 }
  it.each([
    ['completed', 0, null],
    ['completed', 1, 60],
    ['completed', 2, 60],
    ['failed', 0, null],
    // This file was stored before the copy of another one failed. No client can get it, so the next purge deletes it.
    ['failed', 1, 10],
    ['failed', 2, 10],
  ] as const)('that is %s with %d of them are kept until %s', (status, count, untilMs) => {
    const outputs = Array.from({ length: count }, () => output)
    expect(storedUntil({ status, outputs: outputs as never }, 10, 50)).toBe(untilMs)
  })
})
