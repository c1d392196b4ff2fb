import type { Pool } from 'pg'
import { fault } from '#control/standing/finding.ts'
import { judgeStatus, type StatusFacts } from '#control/standing/judge-status.ts'
import { readWorkerFigures } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { readStanding } from '#store/postgres/standing/standing.sql.ts'
import { countUnopened } from '#store/postgres/secrets/count-unopened.ts'
import { askProcess, askProcesses } from '../standing/ask-process.ts'
import type { Command } from '../command-line/command.ts'
import { explainFailure } from '../command-line/explain-failure.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { shownFindings } from '../command-line/shown-findings.ts'
import { operatingPlace } from '../operating-place.ts'
import { createSchema } from '../schema.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { StartError } from '../start-error.ts'
import { readVersion } from '../version.ts'

export const statusCommands: readonly Command[] = [
  {
    words: 'status',
    summary:
      'Show the status of processes, routing, circuits, brake, holds, backlog and ledger. Read-only. Exits with code 1 on a fault.',
    run: () =>
      withSession(async (session) => {
        const { config } = session
        const [gateways, worker, store] = await Promise.all([
          askProcesses(operatingPlace(config)),
          askProcess(config.worker),
          readStore(session),
        ])
        const build = `weir ${readVersion()} (Node ${process.versions.node})`
        return shownFindings(judgeStatus({ build, gateways, workers: worker === null ? [] : [worker], store }))
      }),
  },
]

async function readStore(session: Session): Promise<StatusFacts['store']> {
  try {
    await createSchema(session.pool).prove()
    return await readFacts(session, session.pool)
  } catch (error) {
    const isBehind = error instanceof StartError
    if (isBehind) return { fault: fault('schema', 'the database schema is out of date', 'weir migrate') }
    return { fault: fault('postgres', explainFailure(error), 'see docs/runbooks/postgres-unavailable.md') }
  }
}

async function readFacts({ operators, config }: Session, pool: Pool): Promise<StatusFacts['store']> {
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
