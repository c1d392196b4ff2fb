import { pino } from 'pino'
import { wirePaymentJobs } from '#bin/wiring/payments-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
import { paymentParts } from '#jobs/payments/payment-parts.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { createTestSignIn } from '#test/setup/sign-in.ts'
import { type PaymentsSimulator, startPayments } from '#test/simulators/payments/start-payments.ts'
import { serverEnvironment } from '../server-environment.ts'
import type { ServerProcess } from '../server-process.ts'
import type { World } from '../world.ts'

export interface Payer {
  readonly walletId: string
  readonly cookie: string
}

/** A payment provider, and our processes that use it. */
export interface PaymentScene {
  readonly world: World
  readonly provider: PaymentsSimulator
  /** This gateway survives everything and processes the orders that the others leave unfinished. */
  readonly steady: ServerProcess
  readonly operatorKey: string
  startGateway(failpoints: string): Promise<ServerProcess>
  startWorker(failpoints: string): Promise<ServerProcess>
  addPayer(): Promise<Payer>
  /** Runs one round of a worker part in this process. Returns the number of complaints. */
  work(part: 'payments' | 'payment-events' | 'payment-books'): Promise<number>
  /** Makes open orders due, including those claimed by a dead worker. */
  letPass(): Promise<void>
}

export async function startPaymentScene(world: World): Promise<PaymentScene> {
  // A worker reads the provider's ledger up to a minute ago. By the provider's clock that is after everything that
  // happens here.
  const provider = await startPayments({ nowMs: () => Date.now() - 120_000 })
  world.defer(() => provider.close())
  const env = {
    WEIR_HTTP_PUBLIC_URL: ownOrigin,
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: provider.secretKey,
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: provider.webhookSecret,
    WEIR_PAYMENTS_STRIPE_URL: provider.url,
    WEIR_PAYMENTS_NEW_ACCOUNT_DAYS: '0',
    WEIR_PAYMENTS_LOOK_EVERY_MS: '50',
    // A late response of a database on a busy machine is not one of the faults.
    WEIR_POSTGRES_BUDGET_MS: '60000',
    WEIR_REDIS_BUDGET_MS: '60000',
  }
  const whole = { ...serverEnvironment({ postgres: world.databaseUrl, redis: world.redis.url }), ...env }
  const config = parseConfig({ env: whole })
  let complaints = 0
  const logger = pino({ level: 'warn' }, { write: () => void (complaints += 1) })
  const jobs = wirePaymentJobs({ config, logger, pool: world.pool })
  const { signIn } = createTestSignIn(world.pool, { secret: testSecret })
  const [steady, operator] = await Promise.all([world.startGateway({ env }), world.addOperatorKey()])
  return {
    world,
    provider,
    steady,
    operatorKey: operator.key,
    startGateway: (failpoints) => world.startGateway({ env: { ...env, WEIR_FAILPOINTS: failpoints } }),
    startWorker: (failpoints) => world.startWorker({ env: { ...env, WEIR_FAILPOINTS: failpoints } }),
    addPayer: async () => {
      const { userId, walletId } = await world.createClient({ usd: '0' })
      return { walletId, cookie: await signIn(userId) }
    },
    work: async (name) => {
      const part = paymentParts(jobs).find((each) => each.name === name)
      if (part === undefined) throw new Error(`a worker has no part ${name}`)
      complaints = 0
      await part.run(new AbortController().signal)
      await part.end?.()
      return complaints
    },
    letPass: async () => {
      await world.pool.query(
        `UPDATE top_ups SET next_check_at = now() - interval '1 second' WHERE next_check_at IS NOT NULL`,
      )
    },
  }
}
