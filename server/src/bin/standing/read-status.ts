import type { Config } from '#config/config-schema.ts'
import { fault } from '#control/standing/finding.ts'
import type { StatusFacts } from '#control/standing/judge-status.ts'
import type { Operators } from '#ports/operators.ts'
import type { Pool } from 'pg'
import { readWorkerFigures } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { countUnopened } from '#store/postgres/secrets/count-unopened.ts'
import { readStanding } from '#store/postgres/standing/standing.sql.ts'
import { explainFailure } from '../command-line/explain-failure.ts'
import { operatingPlace } from '../operating-place.ts'
import { createSchema } from '../schema.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { StartError } from '../start-error.ts'
import { readVersion } from '../version.ts'
import { askProcess, askProcesses } from './ask-process.ts'

/** What the command and a gateway's API have both. */
export interface StandingDeps {
  readonly config: Config
  readonly pool: Pool
  readonly operators: Pick<Operators, 'listAccounts' | 'listCircuits' | 'listRoutes' | 'readBrake'>
}

/** Asks the processes of this machine on their operating ports, and Postgres for the rest. */
export async function readStatus(deps: StandingDeps): Promise<StatusFacts> {
  const { config } = deps
  const [gateways, worker, store] = await Promise.all([
    askProcesses(operatingPlace(config)),
    askProcess(config.worker),
    readStore(deps),
  ])
  const build = `weir ${readVersion()} (Node ${process.versions.node})`
  return { build, gateways, workers: worker === null ? [] : [worker], store }
}

async function readStore(deps: StandingDeps): Promise<StatusFacts['store']> {
  try {
    await createSchema(deps.pool).prove()
    return await readFacts(deps)
  } catch (error) {
    const isBehind = error instanceof StartError
    if (isBehind) return { fault: fault('schema', 'the database schema is out of date', 'weir migrate') }
    return { fault: fault('postgres', explainFailure(error), 'see docs/runbooks/postgres-unavailable.md') }
  }
}

async function readFacts({ operators, config, pool }: StandingDeps): Promise<StatusFacts['store']> {
  const [standing, accounts, circuits, routes, brake, backlog, [places]] = await Promise.all([
    readStanding(pool, { overdueMs: config.money.sweepIntervalMs * 2 }),
    operators.listAccounts(),
    operators.listCircuits(),
    operators.listRoutes(),
    operators.readBrake(),
    readWorkerFigures(pool),
    countUnopened(pool, sealingKeyOf(config), ['provider_accounts']),
  ])
  const { gateways, workers, ...rest } = standing
  return {
    ...rest,
    connected: { gateways, workers },
    accounts,
    circuits,
    routes: routes.length,
    unopened: places?.unopened ?? 0,
    brake,
    backlog,
  }
}
