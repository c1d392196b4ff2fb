import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Outside, realOutside } from '#bin/wiring/outside.ts'
import { wireGateway } from '#bin/wiring/wire-gateway.ts'
import { parseConfig } from '#config/parse-config.ts'
import { patience, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'

/** Starts another instance on the same database and Redis. */
export async function startSecondGateway(
  first: Pick<TestGateway, 'databaseUrl'>,
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-test-'))
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: first.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(first.databaseUrl),
      WEIR_DATA_DIR: dataDir,
      ...patience,
      WEIR_FILTERS_TIMEOUT_MS: '60000',
      WEIR_LIMITS_UNBILLED_USD: '1000000',
      ...environment,
    },
  })
  const gateway = wireGateway(config, pino({ level: 'silent' }), { ...realOutside, ...outside })
  await gateway.prepare()
  const url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    close: async () => {
      await gateway.drain()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
