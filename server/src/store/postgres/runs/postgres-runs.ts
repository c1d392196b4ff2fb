import type { Pool, PoolClient } from 'pg'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { noRules } from '#domain/runs/run-rules.ts'
import { runDepthMax, type RunStop } from '#domain/runs/run.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { runStopped, tooManyRuns } from '#errors/run-refusals.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { RunReference, Runs, StoppedRuns } from '#ports/runs.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { walletOf } from '../wallets/wallet-of-account.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  findRun,
  findRunTerms,
  insertRun,
  listRuns,
  lockRun,
  type NewRun,
  readRunModels,
  stopRuns,
} from './runs.sql.ts'

export function createRuns(pool: Pool, { runsMax, nowMs }: { runsMax: number; nowMs: () => number }): Runs {
  return {
    findTerms: (walletId, externalId) => refuseWhenAway(findRunTerms(pool, walletId, externalId)),
    create: (walletId, { id: externalId, budget, parent, rules }, keyId) =>
      refuseWhenAway(
        create(
          pool,
          { id: newUuid(nowMs()), walletId, externalId, budget, parent, keyId, rules: rules ?? noRules },
          runsMax,
        ),
      ),
    walletOf: (account) => refuseWhenAway(walletOf(pool, account)),
    stop: (which, stop, author) =>
      refuseWhenAway(inTransaction(pool, 'READ COMMITTED', (client) => stopWithin(client, which, stop, author))),
    find: (which) => refuseWhenAway(findRun(pool, which)),
    list: (scope, page, filter) => refuseWhenAway(listRuns(pool, { scope, page, filter })),
    readModels: (which) => refuseWhenAway(readRunModels(pool, which)),
  }
}

async function create(pool: Pool, run: NewRun, runsMax: number): Promise<'created' | 'exists'> {
  const creation = await insertRun(pool, run, runsMax)
  switch (creation) {
    case 'created':
    case 'exists':
      return creation
    case 'full':
      throw tooManyRuns(runsMax)
    case 'erased':
      throw new GatewayError('accountSuspended', { message: 'The account was deleted.' })
    case 'orphan':
      throw malformed(`The parent run ${run.parent ?? ''} does not exist. Create it first.`)
    case 'deep':
      throw malformed(`Runs can be nested at most ${runDepthMax} deep. Use a parent closer to the first run.`)
    case 'stopped':
      throw runStopped(run.parent ?? '', null)
  }
}

async function stopWithin(
  client: PoolClient,
  { account, externalId, keyId }: RunReference,
  stop: RunStop,
  { actor, requestId, nowMs }: ChangeAuthor,
): Promise<StoppedRuns | 'missing'> {
  const walletId = await walletOf(client, account)
  const run = await lockRun(client, { walletId, externalId, keyId })
  if (run === null) return 'missing'
  if (!run.isStopped) {
    await stopRuns(client, run.id, stop)
    const chainId = account.kind === 'organization' ? account.organizationId : platformChain
    // Without the run's own id and the reason: the log cannot be changed, and both may be about a person.
    const entry = { chainId, actor, requestId, action: 'run.stop', target: { kind: 'run', id: run.id } } as const
    await appendAudit(client, [{ ...entry, before: { stopped: false }, after: { stopped: true } }], nowMs)
  }
  return { walletId, runId: run.id }
}
