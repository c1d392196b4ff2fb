import type { Invalidation } from '#domain/access/invalidation.ts'
import { nameIn, walletIdIn, walletKey } from '#domain/access/wallet-key.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { isSameRules } from '#domain/runs/run-rules.ts'
import type { NamedRun, RunTerms } from '#domain/runs/run.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { runStopped } from '#errors/run-refusals.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import { type Eventually, onceHere } from '#lib/eventually.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Runs } from '#ports/runs.ts'
import { refuseUnloaded } from './refuse-unloaded.ts'

/** The terms of runs. If they cannot be loaded, the request is rejected: its budget is unknown. */
export interface RunCache {
  /**
   * The run that a request names, created if it is unknown. Refuses a stopped run, and a different budget or parent.
   * Synchronous if the terms are cached.
   */
  open(sender: { walletId: Uuid; keyId: Uuid }, named: NamedRun): Eventually<RunTerms>
  /** Drops a stopped run and the runs below it. A load that began before this call is never cached. */
  invalidate(invalidation: Invalidation): void
}

// If the message of a stop is lost, the stop takes effect after this time at the latest.
const times = { softTtlMs: 10_000, hardTtlMs: 15_000, staleIfErrorMs: 0 }
const entriesMax = 100_000

export function createRunCache(options: {
  runs: Pick<Runs, 'findTerms' | 'create'>
  clock: () => number
  loadTimeoutMs?: number
}): RunCache {
  const { runs, clock, loadTimeoutMs = 2_000 } = options
  const cache = createAgingCache<RunTerms | null>({
    load: (key) => runs.findTerms(walletIdIn(key), nameIn(key)),
    clock,
    ...times,
    maxEntries: entriesMax,
    loadTimeoutMs,
    isKept: (_key, terms) => terms !== null,
  })
  async function create({ walletId, keyId }: { walletId: Uuid; keyId: Uuid }, named: NamedRun): Promise<RunTerms> {
    await runs.create(walletId, named, keyId)
    const key = walletKey(walletId, named.id)
    cache.drop(key)
    const terms = await cache.find(key)
    // Deleting the owner in between replaces the id.
    if (terms === null) throw new GatewayError('accountSuspended', { message: 'The account was deleted.' })
    return terms
  }
  return {
    open: (sender, named) => {
      const found = cache.find(walletKey(sender.walletId, named.id))
      const opened = onceHere<RunTerms | null, RunTerms>(found, (terms) =>
        terms === null ? create(sender, named).then((created) => judgeRun(created, named)) : judgeRun(terms, named),
      )
      return opened instanceof Promise ? opened.catch(refuseUnloaded('run')) : opened
    },
    invalidate: ({ stoppedRun, all }) => {
      if (all === true) cache.dropWhere(() => true)
      else if (stoppedRun !== undefined) cache.dropWhere((terms) => terms?.path.includes(stoppedRun) === true)
    },
  }
}

/** Refuses a stopped run, and a budget or parent that differs from the run's. */
export function judgeRun(terms: RunTerms, { id, budget, parent, rules }: NamedRun): RunTerms {
  if (terms.stop !== null) throw runStopped(id, terms.stop.reason)
  if (budget !== null && budget !== terms.budget) {
    const known = terms.budget === null ? 'no budget' : `a budget of $${formatUsd(terms.budget)}`
    throw new GatewayError('runConflict', {
      message: `The run ${id} has ${known}, which cannot change. Omit X-Weir-Run-Budget, or use another run id.`,
    })
  }
  if (parent !== null && parent !== terms.parent) {
    const known = terms.parent === null ? 'no parent' : `the parent ${terms.parent}`
    throw new GatewayError('runConflict', {
      message: `The run ${id} has ${known}, which cannot change. Omit X-Weir-Parent-Run, or use another run id.`,
    })
  }
  if (rules !== null && !isSameRules(rules, terms.ownRules)) {
    throw new GatewayError('runConflict', {
      message: `The run ${id} has different rules, which cannot change. Omit X-Weir-Run-Rules, or use another run id.`,
    })
  }
  return terms
}
