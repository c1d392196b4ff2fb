import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { startEngines } from '../contenders/private-engines.ts'
import type { BenchSettings } from '../settings.ts'
import { createPayers } from './create-payers.ts'
import { type MoneyCrew, startCrew } from './money-crew.ts'
import type { MoneyReport, Payer } from './money-load.ts'

type MoneySettings = BenchSettings['money']

/** Pairs of a hold and its settlement per second, and the pairs per statement. */
export interface MoneyFigures {
  readonly pairs_per_s: number
  readonly batch: number
}

/** The results of one round; a noisy neighbour disturbs a whole round, so ratios are computed within one. */
export interface OrganizationRound {
  /** One organization of 200 members in ten teams, and 200 organizations of one member each. */
  readonly hot_org: MoneyFigures
  readonly hot_org_raw: MoneyFigures
  readonly many_wallets: MoneyFigures
  readonly many_wallets_raw: MoneyFigures
}

const processCount = 3
// The concurrent requests of one busy gateway.
const underWay = 200
const hotSize = { organizations: 1, teamsEach: 10, membersEach: 200 }
const manySize = { organizations: 200, teamsEach: 1, membersEach: 1 }
const sqlFolder = fileURLToPath(new URL('../../../sql', import.meta.url))

/**
 * Holds and settlements of three processes through the port, and the same bare statements, in turns on one database.
 */
export async function measureOrganizations(
  settings: MoneySettings,
  { scratchFolder, log }: { scratchFolder: string; log: (line: string) => void },
): Promise<OrganizationRound[]> {
  await using cleanup = new AsyncDisposableStack()
  const engines = await startEngines(join(scratchFolder, 'money-engines'))
  cleanup.defer(engines.stop)
  const dataFolder = join(scratchFolder, 'money')
  mkdirSync(dataFolder, { recursive: true })
  const pool = new Pool({ connectionString: engines.postgresUrl, max: 2 })
  // The pool ends before its last connections; stopping the database may still cut those off.
  pool.on('error', () => {})
  cleanup.defer(() => pool.end())
  await prepareDatabase(pool, sqlFolder)
  const loads = { hot_org: await createPayers(pool, hotSize), many_wallets: await createPayers(pool, manySize) }
  const crew = await startCrew(processCount, { WEIR_POSTGRES_URL: engines.postgresUrl, WEIR_DATA_DIR: dataFolder })
  cleanup.defer(crew.stop)
  const rounds: OrganizationRound[] = []
  for (let round = 1; round <= settings.rounds; round += 1) {
    const hot = await measureBothWays(crew, loads.hot_org, settings)
    const many = await measureBothWays(crew, loads.many_wallets, settings)
    rounds.push({
      hot_org: hot.port,
      hot_org_raw: hot.raw,
      many_wallets: many.port,
      many_wallets_raw: many.raw,
    })
    log(`round ${round} of ${settings.rounds}: organizations\n  ${JSON.stringify(rounds.at(-1))}`)
  }
  await expectSoundBooks(pool)
  return rounds
}

/** The bare statements come second, because they use the batch size that the port reached. */
async function measureBothWays(
  crew: MoneyCrew,
  payers: readonly Payer[],
  { warmUpMs, measureMs }: MoneySettings,
): Promise<{ port: MoneyFigures; raw: MoneyFigures }> {
  const through = { kind: 'port', underWay } as const
  await crew.carryOut({ payers, ms: warmUpMs, way: through })
  const port = figuresOf(await crew.carryOut({ payers, ms: measureMs, way: through }))
  const bare = { kind: 'raw', batch: Math.max(1, Math.round(port.batch)) } as const
  await crew.carryOut({ payers, ms: warmUpMs, way: bare })
  return { port, raw: figuresOf(await crew.carryOut({ payers, ms: measureMs, way: bare })) }
}

function figuresOf(reports: readonly MoneyReport[]): MoneyFigures {
  const spooled = reports.reduce((sum, report) => sum + report.spooled, 0)
  if (spooled > 0) throw new Error(`${spooled} settles went to the spool`)
  const rate = reports.reduce((sum, { pairs, ms }) => sum + pairs / (ms / 1_000), 0)
  const batch = reports.reduce((sum, report) => sum + report.batch, 0) / reports.length
  return { pairs_per_s: Math.round(rate), batch: Number(batch.toFixed(1)) }
}

/** A rate is worthless if the money is wrong. */
async function expectSoundBooks(pool: Pool): Promise<void> {
  const findings = await auditLedger(pool, { overdueMs: 0 })
  if (findings.length > 0) throw new Error(`ledger reconciliation found discrepancies: ${JSON.stringify(findings[0])}`)
}
