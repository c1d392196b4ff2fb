import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { judgeCharge, refund } from '#domain/ledger/judge-charge.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import type { Transition } from '#domain/video/job-machine.ts'
import { assert } from '#lib/assert.ts'
import type { ClaimedJob } from '#ports/videos.ts'

/** What is kept of a job that is over; its cost is the charge. */
export function recordOfJob(job: ClaimedJob, { progress, money }: Transition, nowMs: number): GenerationRecord {
  const candidate = job.candidates[progress.candidate]
  assert(candidate !== undefined, 'a job asks one of its candidates')
  const { charge, refundReason } =
    money === 'charge'
      ? judgeCharge({ usage: progress.usage, billing: candidate.billing, price: parsePrice(candidate.price) })
      : refund(progress.error?.refundReason ?? 'gateway_fault')
  const [first] = progress.attempts
  return {
    ...job.asker,
    id: job.id,
    walletId: job.walletId,
    endpoint: 'videos',
    model: job.model,
    provider: candidate.vendor,
    upstreamModel: candidate.upstreamModel,
    upstreamStatus: progress.attempts.at(-1)?.status ?? null,
    finishReason: progress.status === 'completed' ? 'stop' : 'error',
    nativeFinishReason: null,
    streamed: false,
    cancelled: false,
    isByok: false,
    isFailover: first !== undefined && first.provider !== candidate.vendor,
    startedAtMs: job.createdAtMs,
    firstTokenMs: null,
    durationMs: Math.max(0, nowMs - job.createdAtMs),
    usage: progress.usage ?? noUsage,
    held: job.held,
    cost: charge.cost,
    cacheDiscount: charge.cacheDiscount,
    priceId: charge.cost > 0n ? candidate.price.id : null,
    refundReason,
    attempts: progress.attempts,
  }
}
