import type { PoolClient } from 'pg'
import type { Scenario } from '#test/simulators/scenario.ts'
import { faults as upstreamFaults } from '#test/simulators/scenarios/faults.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { createClient } from '#test/setup/client.ts'
import { chatBody } from '../chat-body.ts'
import { gatedStream } from '../gated-stream.ts'
import { loadScenario } from '../load.ts'
import type { World } from '../world.ts'
import type { AlertScene } from './alert-scene.ts'

/** A fault and the alerts that report it. */
export interface AlertFault {
  readonly what: string
  readonly alerts: readonly string[]
  strike(): Promise<void>
  repair(): Promise<void>
}

/** Faults of processes, databases, providers and the ledger, with their repairs. */
export function alertFaults(world: World, scene: AlertScene): readonly AlertFault[] {
  return [
    {
      what: 'the gateway is killed',
      alerts: ['WeirGatewayDown'],
      strike: () => scene.gateway.kill(),
      repair: scene.startGateway,
    },
    {
      what: 'the worker is killed',
      alerts: ['WeirWorkerDown'],
      strike: () => scene.worker.kill(),
      repair: scene.startWorker,
    },
    {
      what: 'Redis is killed',
      alerts: ['WeirRedisUnavailable'],
      strike: () => world.redis.kill(),
      repair: () => world.redis.start(),
    },
    {
      what: 'a balance is changed by hand',
      alerts: ['WeirLedgerMismatch'],
      strike: () => addToBalance(world, scene, 1),
      repair: () => addToBalance(world, scene, -1),
    },
    ...providerFaults(world),
    postgresCrashes(world, scene),
    tableIsGone(world, scene),
    walletIsLocked(world, scene),
    transactionStaysOpen(world),
  ]
}

async function addToBalance({ pool }: World, { lone }: AlertScene, nano: number): Promise<void> {
  await pool.query('UPDATE wallets SET balance_nano = balance_nano + $2 WHERE id = $1', [lone.walletId, nano])
}

function providerFaults({ simulator }: World): readonly AlertFault[] {
  const answers = (what: string, scenario: Scenario, alerts: readonly string[]): AlertFault => ({
    what: `the provider ${what}`,
    alerts,
    strike: () => simulator.play(scenario),
    repair: () => simulator.play(loadScenario),
  })
  return [
    answers('answers 500', upstreamFaults.serverError(500), ['WeirProviderErrorRateHigh', 'WeirCircuitOpen']),
    answers('refuses our key', vendorError('openai', 'invalid-key'), ['WeirProviderAuthFailed']),
  ]
}

/** A running stream ends meanwhile, so its settlement goes to the spool. */
function postgresCrashes(world: World, scene: AlertScene): AlertFault {
  return {
    what: 'Postgres crashes',
    alerts: ['WeirPostgresUnavailable', 'WeirSpoolBacklog'],
    strike: async () => {
      const gate = `alerts-${Date.now()}`
      await scene.slow.play(gatedStream(2, gate))
      const call = world.call(scene.gateway, scene.lone, chatBody({ stream: true, model: 'openai/gpt-4o-mini' }))
      await call.waitForChunks(1)
      await world.postgres.crash()
      await scene.slow.release(gate)
    },
    repair: () => world.postgres.start(),
  }
}

/** The worker looks for due videos four times a second. */
function tableIsGone({ pool }: World, scene: AlertScene): AlertFault {
  return {
    what: 'a table is gone',
    alerts: ['WeirInternalErrors', 'WeirWorkerTaskFailing'],
    strike: async () => {
      await pool.query('ALTER TABLE video_jobs RENAME TO video_jobs_gone')
      const headers = { authorization: `Bearer ${scene.lone.key}`, connection: 'close' }
      await createClient(scene.gateway.url).get('/v1/videos', { headers })
    },
    repair: async () => void (await pool.query('ALTER TABLE video_jobs_gone RENAME TO video_jobs')),
  }
}

// The alert fires above 300.
const waitingCalls = 320

/** Holds of that wallet wait for the lock, and all others wait for those. */
function walletIsLocked(world: World, scene: AlertScene): AlertFault {
  const locked = createStuckTransaction(world)
  return {
    what: 'somebody keeps a wallet locked',
    alerts: ['WeirWriteQueueBacklog'],
    strike: async () => {
      await locked.begin(`SELECT FROM wallets WHERE id = '${scene.lone.walletId}' FOR UPDATE`)
      for (let count = 0; count < waitingCalls; count += 1) world.call(scene.gateway, scene.lone, chatBody())
    },
    repair: locked.end,
  }
}

/** Nothing newer than the open transaction is rolled up or sent. */
function transactionStaysOpen(world: World): AlertFault {
  const open = createStuckTransaction(world)
  return {
    what: 'a transaction stays open',
    alerts: ['WeirRollupLagging', 'WeirEventSinkLagging'],
    strike: () => open.begin('SELECT pg_current_xact_id()'),
    repair: open.end,
  }
}

/** A transaction that stays open. */
function createStuckTransaction({ pool }: World): { begin(text: string): Promise<void>; end(): Promise<void> } {
  let client: PoolClient | null = null
  return {
    begin: async (text) => {
      client = await pool.connect()
      await client.query('BEGIN')
      await client.query(text)
    },
    end: async () => {
      await client?.query('ROLLBACK')
      client?.release()
    },
  }
}
