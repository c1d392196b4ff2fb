import type { FilterMatcher } from '#domain/filters/filter-rule.ts'
import { tooSlowReason } from '#domain/filters/matching/judge-cost.ts'
import { assert } from '#lib/assert.ts'
import { WorkerPool, type WorkerPoolOptions } from '#lib/worker-pool.ts'
import type { MatcherVerdict } from '#ports/filter-engine.ts'
import type { FilterAnswer, FilterJob } from './filter-job.ts'

/** Rules are saved several at a time, and then not at all for weeks. */
const idleMs = 60_000

/**
 * Judges rules before they are saved. Judging takes seconds and much memory, so it has its own thread, which starts
 * with the first rule and ends when no other rule follows for a while.
 */
export class JudgeThreads {
  readonly #options: WorkerPoolOptions
  readonly #judgeMs: number
  #pool: WorkerPool<FilterJob, FilterAnswer> | undefined
  #idle: NodeJS.Timeout | undefined
  #running = 0

  constructor({ judgeMs, ...options }: JudgeThreadsOptions) {
    this.#judgeMs = judgeMs
    this.#options = { ...options, threads: 1, spares: 0, waitingMax: 32 }
  }

  async judge(matcher: FilterMatcher): Promise<MatcherVerdict> {
    clearTimeout(this.#idle)
    this.#pool ??= new WorkerPool(this.#options)
    this.#running += 1
    try {
      return await ask(this.#pool, matcher, this.#judgeMs)
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const pool = this.#pool
    this.#pool = undefined
    await pool?.close()
  }
}

interface JudgeThreadsOptions
  extends Pick<
    WorkerPoolOptions,
    'entry' | 'compileCacheFolder' | 'graceMs' | 'heapMbMax' | 'onThreadLost' | 'timers'
  > {
  /** Time limit for judging a rule. A rule that takes longer is too slow. */
  readonly judgeMs: number
}

async function ask(
  pool: WorkerPool<FilterJob, FilterAnswer>,
  matcher: FilterMatcher,
  timeoutMs: number,
): Promise<MatcherVerdict> {
  await pool.ready
  const outcome = await pool.run({ kind: 'judge', matcher }, { queue: 'judge', timeoutMs, marginMs: 0 })
  switch (outcome.kind) {
    case 'answered':
      assert(outcome.answer.kind === 'judged', 'a judgement is answered with a verdict')
      return outcome.answer.verdict
    case 'full':
      return { accepted: false, reason: 'Too many rules are being validated right now. Retry in a few seconds.' }
    default:
      return { accepted: false, reason: tooSlowReason }
  }
}
