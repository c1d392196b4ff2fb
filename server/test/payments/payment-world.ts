import { pino } from 'pino'
import { wirePaymentJobs } from '#bin/wiring/payments-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
import { type PaymentJobDeps, paymentParts } from '#jobs/payments/payment-parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { startTestGateway, testSecret, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import type { Reply } from '#test/setup/reply.ts'
import {
  type PaymentsOptions,
  type PaymentsSimulator,
  startPayments,
} from '#test/simulators/payments/start-payments.ts'

export interface Payer {
  readonly userId: string
  readonly walletId: string
  readonly session: { readonly cookie: string }
}

/** Gateways, the parts of a worker, and their payment provider. */
export interface PaymentWorld extends TestGateway {
  readonly provider: PaymentsSimulator
  /** The URLs of all gateways, including the first. */
  readonly gateways: readonly string[]
  payer(): Promise<Payer>
  /** Creates an order of the person's own wallet through the API. */
  order(payer: Payer, credit?: number, more?: JsonObject): Promise<JsonObject>
  /** The order as its owner reads it. */
  read(payer: Payer, id: unknown): Promise<JsonObject>
  /** The payer pays at the provider, which then sends an event. */
  pay(id: unknown, how?: { later?: boolean; amount?: number; currency?: string }): string
  /** Runs one round of a worker part: `payments`, `payment-events` or `payment-books`. */
  work(part: string): Promise<void>
  /** Makes open orders due. */
  letPass(): Promise<void>
  audit(): Promise<Discrepancy[]>
  transfersOf(walletId: string): Promise<string[]>
  balanceOf(payer: Payer): Promise<string>
  /** Sends the provider's pending events, and returns the gateways' responses. */
  deliver(options?: { isReversed?: boolean }): Promise<(number | null)[]>
  paidOrder(credit?: number): Promise<{ payer: Payer; id: string; paymentId: string }>
  /** Reads the provider's ledger, as if an hour had passed since everything that has happened. */
  keepBooks(): Promise<void>
}

interface PaymentWorldOptions extends PaymentsOptions {
  readonly gateways?: number
  readonly environment?: Record<string, string>
}

export async function startPaymentWorld(options: PaymentWorldOptions = {}): Promise<PaymentWorld> {
  // A worker reads the provider's ledger up to a minute ago. By the provider's clock that is after everything in the
  // test.
  const provider = await startPayments({ nowMs: () => Date.now() - 120_000, ...options })
  const environment = {
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: provider.secretKey,
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: provider.webhookSecret,
    WEIR_PAYMENTS_STRIPE_URL: provider.url,
    WEIR_LIMITS_ACCOUNT: '1000000',
    ...options.environment,
  }
  const first = await startTestGateway(environment)
  const more = { ...environment, WEIR_HTTP_PUBLIC_URL: ownOrigin }
  const others = await Promise.all(
    Array.from({ length: (options.gateways ?? 1) - 1 }, () => startSecondGateway(first, more)),
  )
  const gateways = [first.url, ...others.map(({ url }) => url)]
  provider.webhooks.targets = gateways
  const acts = actsOf(first, provider)
  return {
    ...first,
    ...acts,
    ...workOf(first, jobsOf(first, more)),
    provider,
    gateways,
    paidOrder: async (credit) => {
      const payer = await acts.payer()
      const { id } = await acts.order(payer, credit)
      const paymentId = acts.pay(id)
      const [status] = await acts.deliver()
      if (status !== 200) throw new Error(`the payment was answered with ${status}`)
      return { payer, id: String(id), paymentId }
    },
    audit: () => auditLedger(first.pool, { overdueMs: 600_000 }),
    close: async () => {
      await Promise.all(others.map((gateway) => gateway.close()))
      await first.close()
      await provider.close()
    },
  }
}

const pathOf = ({ walletId }: Payer): string => `/api/wallets/${walletId}/top-ups`

type Acts = Pick<PaymentWorld, 'balanceOf' | 'deliver' | 'payer' | 'order' | 'read' | 'pay' | 'transfersOf'>

/** The actions of a payer and the provider. */
function actsOf(first: TestGateway, provider: PaymentsSimulator): Acts {
  return {
    balanceOf: async ({ walletId }) => (await first.walletOf(walletId)).balance,
    deliver: async (how) => (await provider.webhooks.deliver(how)).map(({ status }) => status),
    payer: async () => {
      const { userId, walletId } = await first.createClient({ usd: '0' })
      return { userId, walletId, session: { cookie: await first.signIn(userId) } }
    },
    order: async (payer, amount = 25, body = {}) =>
      dataOf(await first.as(payer.session).send('POST', pathOf(payer), { amount, ...body }), 201),
    read: async (payer, id) => dataOf(await first.as(payer.session).send('GET', `${pathOf(payer)}/${String(id)}`), 200),
    pay: (id, how) => {
      const session = provider.state.sessionOf(String(id))
      if (session === undefined) throw new Error(`no session of ${String(id)}`)
      return provider.state.pay(session.id, how).id
    },
    transfersOf: async (walletId) => {
      const { rows } = await first.pool.query<{ move: string }>(
        `SELECT kind || ' ' || debit || '>' || credit || ' ' || trim_scale(amount_nano / 1000000000.0) AS move
          FROM ledger_transfers WHERE wallet_id = $1 ORDER BY id, leg`,
        [walletId],
      )
      return rows.map(({ move }) => move)
    },
  }
}

/** The actions of a worker, and the passing of time. */
export function workOf(
  { pool }: Pick<TestGateway, 'pool'>,
  jobs: PaymentJobDeps,
): Pick<PaymentWorld, 'work' | 'keepBooks' | 'letPass'> {
  const work = async (name: string): Promise<void> => {
    const part = paymentParts(jobs).find((each) => each.name === name)
    if (part === undefined) throw new Error(`no part ${name}`)
    await part.run(new AbortController().signal)
    await part.end?.()
  }
  return {
    work,
    keepBooks: async () => {
      await work('payment-books')
      await pool.query(`UPDATE payment_watermarks SET balances_until = now() + interval '2 hours'`)
    },
    letPass: async () => {
      await pool.query(`UPDATE top_ups SET next_check_at = now() - interval '1 second' WHERE next_check_at IS NOT NULL`)
    },
  }
}

export function jobsOf(
  { databaseUrl, dataDir, pool }: TestGateway,
  environment: Record<string, string>,
): PaymentJobDeps {
  const env = {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: databaseUrl,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_DATA_DIR: dataDir,
    ...environment,
  }
  return wirePaymentJobs({ config: parseConfig({ env }), logger: pino({ level: 'silent' }), pool })
}

export function dataOf({ status, json, text }: Reply, expected: number): JsonObject {
  if (status !== expected || !isJsonObject(json.data)) throw new Error(`${status}: ${text}`)
  return json.data
}
