import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Pool } from 'pg'
import { parseSealed, unseal } from '#lib/seal.ts'
// Not an expectation: sealed columns are opened and searched.
import { sealedColumns } from '#store/postgres/secrets/sealed-secrets.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { testSealingKey } from '#test/videos/sealed-tasks.ts'
import { findInDatabase } from './find-in-database.ts'

/** Every place of a gateway and its worker that stores the text: tables, sealed columns, Redis, files, log lines. */
export async function findAnywhere(gateway: TestGateway, text: string): Promise<string[]> {
  const { pool, databaseUrl, dataDir, logLines } = gateway
  const logged = logLines.filter((line) => line.includes(text))
  return [
    ...(await findInDatabase(pool, text)).map((table) => `table ${table}`),
    ...(await findSealed(pool, text)).map((table) => `sealed in ${table}`),
    ...(await findInRedis(redisPrefixOf(databaseUrl), text)).map((key) => `Redis ${key}`),
    ...(await findInFiles(dataDir, text)).map((path) => `file ${path}`),
    ...logged.map((line) => `log ${line}`),
  ]
}

/** Opens all sealed values, so that a ciphertext cannot hide it. */
async function findSealed(pool: Pool, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { table, column, associated } of sealedColumns) {
    const { rows } = await pool.query<{ id: string; sealed: unknown }>(
      `SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} ->> 'wrappedKey' IS NOT NULL`,
    )
    const opened = rows.map(({ id, sealed }) => unseal(testSealingKey, parseSealed(sealed), associated(id)))
    if (opened.some((plain) => plain.includes(text))) found.push(table)
  }
  return found
}

async function findInRedis(prefix: string, text: string): Promise<string[]> {
  const redis = new Redis(testRedisUrl())
  try {
    const found: string[] = []
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      for (const key of Array.isArray(keys) ? keys.map(String) : []) {
        if (`${key} ${JSON.stringify(await valueOf(redis, key))}`.includes(text)) found.push(key)
      }
    }
    return found
  } finally {
    redis.disconnect()
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const kind = await redis.type(key)
  switch (kind) {
    case 'string':
      return redis.get(key)
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'set':
      return redis.smembers(key)
    case 'zset':
      return redis.zrangebyscore(key, '-inf', '+inf')
    case 'none': // Expired since it was listed.
      return null
    default:
      throw new Error(`nobody knows how to read a ${kind} of Redis`)
  }
}

async function findInFiles(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found: string[] = []
  for (const path of paths) if ((await readFile(path)).includes(text)) found.push(path)
  return found
}
