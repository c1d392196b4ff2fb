import { testSecret } from '../../server/test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '../../server/test/setup/redis.ts'

/** The environment of recipe commands: a database of their own, and the key that a vendor's recipe stores. */
export function recipeEnvironment(databaseUrl: string): Readonly<Record<string, string>> {
  return {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: databaseUrl,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_REDIS_PREFIX: redisPrefixOf(databaseUrl),
    ACME_KEY: 'secret',
  }
}
