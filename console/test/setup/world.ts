import { pino } from 'pino'
import { wireWorker } from '../../../server/src/bin/wiring/wire-worker.ts'
import { parseConfig } from '../../../server/src/config/parse-config.ts'
import { findLastingPort } from '../../../server/test/setup/find-lasting-port.ts'
import { startTestGateway, type TestGateway, testSecret } from '../../../server/test/setup/gateway.ts'
import { type MailServer, startMailServer } from '../../../server/test/setup/mail-server.ts'
import { type PaymentsSimulator, startPayments } from '../../../server/test/simulators/payments/start-payments.ts'
import { redisPrefixOf, testRedisUrl } from '../../../server/test/setup/redis.ts'

/**
 * Everything behind the browser: a gateway that serves the built console, a worker, a mail server, and a payment
 * provider.
 */
export interface World {
  /** `http://localhost:…`, where cookies and passkeys work without TLS. */
  readonly origin: string
  readonly gateway: TestGateway
  readonly mail: MailServer
  /** The simulator sends webhooks immediately. */
  readonly payments: PaymentsSimulator
}

/** Allows webhook receivers on this machine. */
const webhooks = { WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32' }

let opened: Promise<World> | undefined

/** Shared by all test files. Its databases are removed when the run ends. */
export function openWorld(): Promise<World> {
  opened ??= startWorld({ sellsCredit: true }).then(addAccount)
  return opened
}

interface WorldOptions {
  readonly prepare?: (gateway: TestGateway) => Promise<void>
  /** Whether the gateway has a payment provider. */
  readonly sellsCredit?: boolean
  /** Whether the gateway knows the mail server. */
  readonly sendsMail?: boolean
  /** DNS servers instead of the machine's own. */
  readonly dnsServers?: string
}

/** Starts a separate world for a test that needs no account, or a provider that its worker knows from the start. */
export async function startWorld({
  prepare,
  sellsCredit = false,
  sendsMail = true,
  dnsServers = '',
}: WorldOptions = {}): Promise<World> {
  const [mail, payments] = await Promise.all([startMailServer(), startPayments({ isPrompt: true })])
  const paid = sellsCredit ? paymentSettings(payments) : {}
  const port = await findLastingPort()
  const origin = `http://localhost:${port}`
  const mails = sendsMail ? { WEIR_MAIL_URL: mail.url, WEIR_MAIL_FROM: 'Weir <weir@example.com>' } : {}
  const gateway = await startTestGateway({
    WEIR_HTTP_PORT: String(port),
    WEIR_HTTP_PUBLIC_URL: origin,
    ...mails,
    WEIR_AUTH_PASSKEYS: 'true',
    WEIR_LIMITS_ORGANIZATIONS_PER_USER: '3',
    WEIR_CONSOLE_ENABLED: 'true',
    WEIR_DOCS_ENABLED: 'true',
    ...webhooks,
    ...paid,
    ...(dnsServers === '' ? {} : { WEIR_DNS_SERVERS: dnsServers }),
  })
  payments.webhooks.targets = [origin]
  await prepare?.(gateway)
  await startWorker(gateway, { ...paid, ...mails, WEIR_HTTP_PUBLIC_URL: origin })
  return { origin, gateway, mail, payments }
}

function paymentSettings({ secretKey, webhookSecret, url }: PaymentsSimulator) {
  return {
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: secretKey,
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: webhookSecret,
    WEIR_PAYMENTS_STRIPE_URL: url,
    WEIR_PAYMENTS_CURRENCIES: 'cny=7.25',
    WEIR_PAYMENTS_LOOK_EVERY_MS: '100',
  }
}

async function startWorker(gateway: TestGateway, settings: Record<string, string>): Promise<void> {
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: gateway.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(gateway.databaseUrl),
      // The gateway serves the videos that the worker stores.
      WEIR_DATA_DIR: gateway.dataDir,
      WEIR_WORKER_PORT: '0',
      WEIR_USAGE_ROLLUP_MS: '50',
      WEIR_VIDEO_POLL_EVERY_MS: '50',
      WEIR_VIDEO_LOOK_EVERY_MS: '50',
      WEIR_WEBHOOKS_PAUSE_MS: '50',
      ...webhooks,
      ...settings,
    },
  })
  await wireWorker(config, pino({ level: 'silent' })).start()
}

/** Without an account the console would ask for the first one. */
async function addAccount(world: World): Promise<World> {
  await world.gateway.createClient()
  return world
}
