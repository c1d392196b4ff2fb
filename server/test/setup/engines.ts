import { createPrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import { createPrivateRedis } from '#test/identity/private-redis.ts'
import { findEngineFolder } from './find-engine-folder.ts'

/**
 * The databases of one test run: a Postgres and a Redis that no other program uses, without durability. On a disk,
 * `CREATE DATABASE` and `DROP DATABASE` of the shared Postgres took seconds each; in memory they take 35 ms together.
 * `WEIR_TEST_POSTGRES_URL` and `WEIR_TEST_REDIS_URL` name running servers to use instead.
 */
export default async function startEngines(): Promise<() => Promise<void>> {
  const ends = await Promise.all([startPostgres(), startRedis()])
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

type End = () => Promise<void>

async function startPostgres(): Promise<End> {
  if (process.env['WEIR_TEST_POSTGRES_URL'] !== undefined) return async () => {}
  const parentFolder = await findEngineFolder()
  const postgres = await createPrivatePostgres({ parentFolder, settings: forgetfulSettings })
  process.env['WEIR_TEST_POSTGRES_URL'] = postgres.url
  return postgres.remove
}

async function startRedis(): Promise<End> {
  if (process.env['WEIR_TEST_REDIS_URL'] !== undefined) return async () => {}
  const redis = await createPrivateRedis()
  await redis.start()
  process.env['WEIR_TEST_REDIS_URL'] = redis.url
  return redis.remove
}

// Test databases live for seconds, so neither durability nor vacuuming is worth its time.
const forgetfulSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_buffers: '256MB',
  max_connections: '400',
}
