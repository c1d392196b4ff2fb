import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { type Outside, realOutside } from '#bin/wiring/outside.ts'
import { type Gateway, wireGateway } from '#bin/wiring/wire-gateway.ts'
import { parseConfig } from '#config/parse-config.ts'
import { createSampleDatabase } from './database.ts'
import { createAccounts, type TestAccounts } from './accounts.ts'
import { type Client, createClient, type Credential } from './client.ts'
import { ownOrigin } from './own-origin.ts'
import { redisPrefixOf, testRedisUrl } from './redis.ts'
import { createTestSignIn, type TestSignIn } from './sign-in.ts'

/** A whole gateway in this process, on its own database, listening on a real port. */
export interface TestGateway extends TestAccounts, TestSignIn {
  url: string
  pool: Pool
  databaseUrl: string
  /** The folder of data outside Postgres. */
  dataDir: string
  gateway: Gateway
  /** The metrics in Prometheus format. */
  readMetrics(): Promise<string>
  /** The gateway's log, one JSON string per line. */
  logLines: string[]
  /** A client with this credential, or with none. */
  as(credential?: Credential): Client
  close(): Promise<void>
}

export const testSecret = 'Jm3vQp8sXw2nLk7tRy5uBz9cHd4fGa6e'

/** Many tests share few cores: a late database response must change neither a response nor a count. */
export const patience = {
  WEIR_POSTGRES_BUDGET_MS: '60000',
  WEIR_REDIS_BUDGET_MS: '60000',
  WEIR_MONEY_HOLD_DEADLINE_MS: '60000',
  WEIR_MONEY_SETTLE_DEADLINE_MS: '60000',
}

export async function startTestGateway(
  environment: Record<string, string> = {},
  /** Replacements such as a test clock; everything else is real. */
  outside: Partial<Outside> = {},
): Promise<TestGateway> {
  const database = await createSampleDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-test-'))
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_HTTP_PORT: '0',
      WEIR_HTTP_PUBLIC_URL: ownOrigin,
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(environment['WEIR_POSTGRES_URL'] ?? database.url),
      WEIR_DATA_DIR: dataDir,
      WEIR_REVISIONS_POLL_MS: '50',
      WEIR_DRAIN_NOTICE_MS: '0',
      // API tests must not depend on whether the console and the documentation are built.
      WEIR_CONSOLE_ENABLED: 'false',
      WEIR_DOCS_ENABLED: 'false',
      ...patience,
      WEIR_FILTERS_TIMEOUT_MS: '60000',
      WEIR_LIMITS_INFERENCE_LOW: '100000',
      WEIR_LIMITS_INFERENCE_FUNDED: '100000',
      // Tests share an address, and disconnect on purpose.
      WEIR_LIMITS_UNBILLED_USD: '1000000',
      WEIR_LIMITS_SIGN_IN: '100000',
      WEIR_LIMITS_SIGN_IN_FAILURES: '100000',
      WEIR_LIMITS_AUTO_FREE_PER_ADDRESS: '100000000',
      ...environment,
    },
  })
  const logLines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) })
  const gateway = wireGateway(config, logger, { ...realOutside, ...outside })
  await gateway.prepare()
  const url = await gateway.server.listen({ host: '127.0.0.1', port: config.http.port })
  return {
    url,
    pool: database.pool,
    databaseUrl: database.url,
    dataDir,
    gateway,
    readMetrics: async () => (await gateway.operating.inject('/metrics')).body,
    logLines,
    as: (credential) => createClient(url, credential),
    ...createTestSignIn(database.pool, { secret: testSecret }),
    ...createAccounts(database.pool, { secret: testSecret, refresh: gateway.refresh }),
    close: async () => {
      await gateway.drain()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
