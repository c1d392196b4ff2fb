import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { judgeCharge, refund } from '#domain/ledger/judge-charge.ts'
import { providerCostOf } from '#domain/ledger/provider-cost-of.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { parsePurchase } from '#domain/money/state-purchase.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { advance, type Transition } from '#domain/video/job-machine.ts'
import { isOver, type JobProgress } from '#domain/video/video-job.ts'
import { assert } from '#lib/assert.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedJob, JobCandidate, JobEnd, VideoJobQueue } from '#ports/videos.ts'
import { type StepDeps, stepJob } from './step-job.ts'

export interface MoveDeps {
  readonly queue: Pick<VideoJobQueue, 'move' | 'finish' | 'isSettled'>
  readonly steps: Omit<StepDeps, 'beginSubmit' | 'isSettled'>
  /** The duration of a claim, which is also the timeout of a submit. */
  readonly claimMs: number
  /** How long finished videos are stored. */
  readonly keepMs: number
  /** The minimum poll interval of a job; a provider may need a longer one. */
  readonly rhythmMs: number
  /** Not called for a step without a change, such as a poll without news. */
  readonly onMoved: (job: ClaimedJob, to: string) => void
}

/** Runs one step of a job and stores its new state. A worker that has lost its claim stores nothing. */
export async function moveJob(job: ClaimedJob, deps: MoveDeps): Promise<void> {
  const { queue, steps } = deps
  const beginSubmit: StepDeps['beginSubmit'] = async (ours) => {
    const { progress } = advance(ours.progress, { kind: 'submit-begun' }, ours.candidates.length)
    return (await queue.move(ours, progress, deps.claimMs)) ? { ...ours, progress } : null
  }
  const stepped = await stepJob(job, { ...steps, beginSubmit, isSettled: queue.isSettled })
  if (stepped === null) return
  const transition = advance(stepped.job.progress, stepped.event, job.candidates.length)
  const isOurs = isOver(transition.progress)
    ? await queue.finish(stepped.job, endOf(stepped.job, transition, deps))
    : await queue.move(stepped.job, transition.progress, pauseOf(stepped.job, transition, deps))
  const { state } = transition.progress
  if (isOurs && state !== job.progress.state) deps.onMoved(job, state)
}

/** A job that waits past its deadline is next checked at the deadline: it fails without another request. */
function pauseOf(job: ClaimedJob, { progress }: Transition, { steps, rhythmMs }: MoveDeps): number {
  const candidate = job.candidates[progress.candidate]
  const host = candidate === undefined ? null : steps.hostOf(candidate, job.model)
  const pause = pauseAfter(progress, Math.max(rhythmMs, host?.codec.rhythmMs ?? 0))
  return Math.min(pause, Math.max(0, job.deadlineAtMs - steps.nowMs()))
}

function endOf(job: ClaimedJob, transition: Transition, { steps, keepMs }: MoveDeps): JobEnd {
  const endedAtMs = steps.nowMs()
  const { progress } = transition
  const record = recordOfJob(job, transition, endedAtMs)
  const bodyFor = (cost: NanoUsd): string => {
    const shown = videoJobJson({ ...job, progress, completedAtMs: endedAtMs, cost }, job.ownUrl)
    return JSON.stringify({ event: `video.${progress.status}`, ...shown })
  }
  return {
    endedAtMs,
    progress,
    record,
    storedUntilMs: storedUntil(progress, endedAtMs, keepMs),
    webhook: job.callbackUrl === null ? null : { id: newUuid(endedAtMs), url: job.callbackUrl, bodyFor },
  }
}

/** If a job failed while its videos were being copied, some may be stored here; no client gets them. */
export function storedUntil(
  { status, outputs }: Pick<JobProgress, 'status' | 'outputs'>,
  endedAtMs: number,
  keepMs: number,
): number | null {
  if (outputs.length === 0) return null
  return status === 'completed' ? endedAtMs + keepMs : endedAtMs
}

const backoffMaxMs = 60_000

/** The delay until a job's next step. No upstream is polled more often than every `rhythmMs`. */
export function pauseAfter({ state, failures }: JobProgress, rhythmMs: number): number {
  const backoff = Math.min(backoffMaxMs, 1_000 * 2 ** Math.min(failures, 10))
  switch (state) {
    case 'running':
      return Math.max(rhythmMs, failures === 0 ? 0 : backoff)
    // A request that was just sent may take a moment to be found.
    case 'unknown':
      return Math.max(rhythmMs, failures === 0 ? 0 : backoff)
    case 'storing':
      return failures === 0 ? 0 : backoff
    default:
      return 0
  }
}

/** The record of a finished job; its cost is the charge. */
export function recordOfJob(job: ClaimedJob, { progress, money }: Transition, nowMs: number): GenerationRecord {
  const candidate = job.candidates[progress.candidate]
  assert(candidate !== undefined, 'a job asks one of its candidates')
  const price = parsePrice(candidate.price)
  const { charge, refundReason } =
    money === 'charge'
      ? judgeCharge({ usage: progress.usage, billing: candidate.billing, price })
      : refund(progress.error?.refundReason ?? 'gateway_fault')
  const [first] = job.candidates
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
    isFailover: first !== undefined && first.vendor !== candidate.vendor,
    startedAtMs: job.createdAtMs,
    firstTokenMs: null,
    durationMs: Math.max(0, nowMs - job.createdAtMs),
    usage: progress.usage ?? noUsage,
    held: job.held,
    cost: charge.cost,
    ...purchased(candidate, {
      usage: progress.usage,
      cost: charge.cost,
      isRefunded: refundReason !== null,
      atMs: job.createdAtMs,
    }),
    cacheDiscount: charge.cacheDiscount,
    priceId: charge.cost > 0n ? candidate.price.id : null,
    refundReason,
    attempts: progress.attempts,
  }
}

/** What the provider bills the operator, if it differs from the charge. */
function purchased(
  { billing, price, purchase }: JobCandidate,
  job: { usage: Usage | null; cost: NanoUsd; isRefunded: boolean; atMs: number },
): Pick<GenerationRecord, 'providerCost'> {
  const cost = providerCostOf({
    billing,
    price: parsePrice(price),
    purchase: purchase && parsePurchase(purchase),
    usage: job.usage,
    cost: job.cost,
    absorbed: zeroUsd,
    isRefunded: job.isRefunded,
    usageDoubted: false,
    receivedAtMs: job.atMs,
  })
  return cost === undefined ? {} : { providerCost: cost }
}
