import { setTimeout as wait } from 'node:timers/promises'
import type { Part } from './part.ts'

interface ClaimRunnerOptions<Claim> {
  /** Claims that are worked on at the same time. */
  readonly atOnce: number
  /** Takes rows that are due, at most so many. No other worker gets them before the claim lapses. */
  readonly claim: (atMost: number) => Promise<readonly Claim[]>
  readonly work: (claim: Claim) => Promise<void>
  /** Where work may outlast its claim; without it, all claims under way are left as they are. */
  readonly renewal?: ClaimRenewal<Claim>
  /** Work that failed, or whose outcome could not be written down. Its row is claimed again, here or elsewhere. */
  readonly onError: (error: unknown) => void
}

export interface ClaimRenewal<Claim> {
  readonly everyMs: number
  readonly renew: (claims: readonly Claim[]) => Promise<void>
  readonly nowMs: () => number
}

/**
 * Works on rows of a queue that any number of workers share. Each claim is worked on for itself, so one that takes its
 * time keeps none of the others waiting. A round only claims and begins; it does not wait for the work.
 */
export function runClaims<Claim>(options: ClaimRunnerOptions<Claim>): Required<Pick<Part, 'run' | 'end'>> {
  const { atOnce, renewal, onError } = options
  const underWay = new Map<Claim, Promise<void>>()
  let renewedAtMs = renewal?.nowMs() ?? 0

  async function renew({ renew, nowMs }: ClaimRenewal<Claim>): Promise<void> {
    if (underWay.size > 0) await renew([...underWay.keys()])
    renewedAtMs = nowMs()
  }

  function begin(claim: Claim): void {
    const work = options
      .work(claim)
      .catch(onError)
      .finally(() => underWay.delete(claim))
    underWay.set(claim, work)
  }

  return {
    run: async () => {
      // First, so that claims under way stay ours even where no more can be claimed.
      if (renewal !== undefined && Math.abs(renewal.nowMs() - renewedAtMs) >= renewal.everyMs) await renew(renewal)
      const room = atOnce - underWay.size
      if (room <= 0) return false
      const claimed = await options.claim(room)
      for (const claim of claimed) begin(claim)
      return claimed.length >= room && underWay.size < atOnce
    },
    end: async () => {
      while (underWay.size > 0) {
        const isOver = Promise.all(underWay.values()).then(() => true)
        if (renewal === undefined) {
          await isOver
          return
        }
        if (await Promise.race([isOver, wait(renewal.everyMs, false)])) return
        await renew(renewal).catch(onError)
      }
    },
  }
}
