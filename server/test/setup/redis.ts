import { randomBytes } from 'node:crypto'

export function testRedisUrl(): string {
  return process.env['WEIR_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
}

/**
 * What the gateways and commands of one database put before their keys and channels: nothing of another test reaches
 * them.
 */
export function redisPrefixOf(databaseUrl: string): string {
  return `weir-test${new URL(databaseUrl).pathname}:`
}

/** Tests share one Redis, so each puts a prefix of its own before its keys and channels. */
export function randomRedisPrefix(): string {
  return `weir-test-${randomBytes(8).toString('hex')}:`
}
