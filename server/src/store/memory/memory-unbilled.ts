import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { Unbilled } from '#ports/shared-counts.ts'

const dayMs = 86_400_000

interface Counters {
  day: number
  left: bigint
  borne: bigint
  paidToday: bigint
  paidYesterday: bigint
  underWay: bigint
  atRisk: bigint
}

const fresh: Readonly<Counters> = {
  day: 0,
  left: 0n,
  borne: 0n,
  paidToday: 0n,
  paidYesterday: 0n,
  underWay: 0n,
  atRisk: 0n,
}

/**
 * Sums kept in this process, used while Redis is unavailable. Beyond `maxSubjects`, the least recently seen are
 * evicted.
 */
export function createMemoryUnbilled({ maxSubjects = 100_000 }: { maxSubjects?: number } = {}): Unbilled {
  const known = new Map<string, Counters>()
  return {
    async add(subject, change, nowMs): Promise<UnbilledSums> {
      const { left = 0n, borne = 0n, paid = 0n, underWay = 0n, atRisk = 0n } = change
      const counters = useRecent(known, subject, () => ({ ...fresh }), maxSubjects)
      turnTo(counters, Math.floor(nowMs / dayMs))
      counters.left += left
      counters.borne += borne
      counters.paidToday += paid
      // The released estimate may have been counted in Redis.
      counters.underWay = atLeastZero(counters.underWay + underWay)
      counters.atRisk = atLeastZero(counters.atRisk + atRisk)
      return {
        left: nanoUsd(counters.left),
        borne: nanoUsd(counters.borne),
        paidToday: nanoUsd(counters.paidToday),
        paidYesterday: nanoUsd(counters.paidYesterday),
        underWay: nanoUsd(counters.underWay),
        atRisk: nanoUsd(counters.atRisk),
      }
    },
  }
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount
}

function turnTo(counters: Counters, day: number): void {
  if (day <= counters.day) return
  counters.paidYesterday = day === counters.day + 1 ? counters.paidToday : 0n
  counters.paidToday = 0n
  counters.left = 0n
  counters.borne = 0n
  counters.day = day
}
