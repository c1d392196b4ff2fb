import { randomBytes } from 'node:crypto'

export function testRedisUrl(): string {
  return process.env['WEIR_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
}

/** The prefix of the Redis keys and channels for one database: it isolates tests from each other. */
export function redisPrefixOf(databaseUrl: string): string {
  return `weir-test${new URL(databaseUrl).pathname}:`
}

/** Tests share one Redis, so each has its own prefix for keys and channels. */
export function randomRedisPrefix(): string {
  return `weir-test-${randomBytes(8).toString('hex')}:`
}
