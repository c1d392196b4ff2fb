import type { Pool } from 'pg'
import { stopRun } from '#control/runs/change-runs.ts'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { createEndCustomerCache, type EndCustomerCache } from '#pipeline/attribute/end-customer-cache.ts'
import { createJudgeRunRules, type JudgeRunRules } from '#pipeline/attribute/judge-run-rules.ts'
import { createRunCache, type RunCache } from '#pipeline/attribute/run-cache.ts'
import { createTagCache, type TagCache } from '#pipeline/attribute/tag-cache.ts'
import { createRunningRuns, type RunningRuns } from '#pipeline/running-runs.ts'
import type { Announce } from '#ports/announce.ts'
import type { RunCounts } from '#ports/run-counts.ts'
import type { CustomerTokens, EndCustomers } from '#ports/end-customers.ts'
import type { Runs } from '#ports/runs.ts'
import { createRuns } from '#store/postgres/runs/postgres-runs.ts'
import { createTags } from '#store/postgres/tags/postgres-tags.ts'
import { createCustomerTokens } from '#store/postgres/end-customers/postgres-customer-tokens.ts'
import { createEndCustomers } from '#store/postgres/end-customers/postgres-end-customers.ts'

/** The stores and caches of customers, tags and runs that requests name. */
export interface WiredAttribution {
  readonly endCustomers: WiredEndCustomers
  readonly tags: TagCache
  readonly runs: WiredRuns
}

interface WiredEndCustomers {
  readonly store: EndCustomers
  readonly tokens: CustomerTokens
  readonly cache: EndCustomerCache
}

interface WiredRuns {
  readonly store: Runs
  readonly cache: RunCache
  readonly running: RunningRuns
}

interface Loading {
  readonly loadTimeoutMs: number
  readonly nowMs: () => number
}

interface Maximums {
  readonly customersMax: number
  readonly tagsMax: number
  readonly runsMax: number
}

export function wireAttribution(pool: Pool, limits: Maximums, loading: Loading): WiredAttribution {
  return {
    endCustomers: wireEndCustomers(pool, limits, loading),
    tags: wireTags(pool, limits, loading),
    runs: wireRuns(pool, limits, loading),
  }
}

/** Drops what another process changed, and ends the requests of stopped runs. */
export function forgetAttribution({ endCustomers, runs }: WiredAttribution, invalidation: Invalidation): void {
  endCustomers.cache.invalidate(invalidation)
  runs.cache.invalidate(invalidation)
  runs.running.noteStop(invalidation)
}

/** The rules of runs. A broken rule stops its run in every process. */
export function wireRunRules(
  { store: runs }: WiredRuns,
  { counts, announce }: { counts: RunCounts; announce: Announce },
): JudgeRunRules {
  return createJudgeRunRules({
    counts,
    stop: (which, stop, author) => stopRun({ runs, announce }, { which, stop }, author),
  })
}

/** The runs of wallets, and their requests in this process. */
function wireRuns(pool: Pool, { runsMax }: { runsMax: number }, { loadTimeoutMs, nowMs }: Loading): WiredRuns {
  const store = createRuns(pool, { runsMax, nowMs })
  return {
    store,
    cache: createRunCache({ runs: store, clock: nowMs, loadTimeoutMs }),
    running: createRunningRuns(),
  }
}

/** The tags of requests. */
function wireTags(pool: Pool, { tagsMax }: { tagsMax: number }, { loadTimeoutMs, nowMs }: Loading): TagCache {
  return createTagCache({ tags: createTags(pool, { tagsMax, nowMs }), clock: nowMs, loadTimeoutMs })
}

/** The customers of wallets' owners. */
function wireEndCustomers(
  pool: Pool,
  { customersMax }: { customersMax: number },
  { loadTimeoutMs, nowMs }: Loading,
): WiredEndCustomers {
  const store = createEndCustomers(pool, { customersMax, nowMs })
  return {
    store,
    tokens: createCustomerTokens(pool),
    cache: createEndCustomerCache({ endCustomers: store, clock: nowMs, loadTimeoutMs }),
  }
}
