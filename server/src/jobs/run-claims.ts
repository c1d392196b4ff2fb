import { setTimeout as wait } from 'node:timers/promises'
import type { Part } from './part.ts'

interface ClaimRunnerOptions<Claim> {
  /** Maximum concurrent claims. */
  readonly atOnce: number
  /** Claims at most this many due rows. No other worker gets them before the claim expires. */
  readonly claim: (atMost: number) => Promise<readonly Claim[]>
  readonly work: (claim: Claim) => Promise<void>
  /** For work that may outlast its claim; without it, running claims are not renewed. */
  readonly renewal?: ClaimRenewal<Claim>
  /**
   * Called if work failed, or if its outcome could not be stored. Its row is claimed again, by this worker or another.
   */
  readonly onError: (error: unknown) => void
}

export interface ClaimRenewal<Claim> {
  readonly everyMs: number
  readonly renew: (claims: readonly Claim[]) => Promise<void>
  readonly nowMs: () => number
}

/**
 * Processes rows of a queue that any number of workers share. Claims run independently, so a slow claim does not delay
 * the others. A round only claims rows and starts their work; it does not wait for the work.
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
      // Renewal comes first, so that running claims are kept even if no more can be claimed.
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
