import type { Uuid } from '#lib/uuid.ts'
import type { Money } from '#ports/money.ts'

/**
 * Renews the leases of requests that run longer than a quarter of a lease. Most requests end before that and never cost
 * a renewal. A failed renewal is retried at the next turn; if the lease expires meanwhile, the settle still charges.
 */
export interface LeaseKeeper {
  keep(id: Uuid): void
  release(id: Uuid): void
  readonly open: number
  stop(): void
}

export function createLeaseKeeper(options: {
  money: Pick<Money, 'renew'>
  leaseMs: number
  onError: (error: unknown) => void
}): LeaseKeeper {
  // Two generations: requests that already ran at the last turn are old enough to be renewed at this one.
  let young = new Set<Uuid>()
  const old = new Set<Uuid>()
  const timer = setInterval(() => {
    const due = [...old]
    for (const id of young) old.add(id)
    young = new Set()
    if (due.length > 0) options.money.renew(due).catch(options.onError)
  }, options.leaseMs / 4)
  timer.unref()
  return {
    keep: (id) => {
      young.add(id)
    },
    release: (id) => {
      young.delete(id)
      old.delete(id)
    },
    get open() {
      return young.size + old.size
    },
    stop: () => clearInterval(timer),
  }
}
