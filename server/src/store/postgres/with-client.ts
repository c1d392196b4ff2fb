import type { Pool, PoolClient } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'

/** A client of the pool for several consecutive statements. `close` keeps it from being reused. */
export async function withClient<Result>(
  pool: Pool,
  use: (client: PoolClient, close: () => void) => Promise<Result>,
): Promise<Result> {
  const client = await takeClient(pool)
  let isSpent = false
  const close = (): void => {
    isSpent = true
  }
  try {
    return await use(client, close)
  } catch (error) {
    // After a fault the connection may be in any state. A GatewayError is our own and says nothing about the
    // connection, and any client can cause one.
    if (!(error instanceof GatewayError)) close()
    throw error
  } finally {
    client.release(isSpent)
  }
}

/** For a library that acquires and releases clients itself. */
export function takeClient(pool: Pool): Promise<PoolClient> {
  return pool.connect()
}

/** Commits everything that `work` did, or nothing. */
export function inTransaction<Result>(
  pool: Pool,
  mode: 'READ COMMITTED' | 'REPEATABLE READ, READ ONLY',
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return withClient(pool, async (client, close) => {
    try {
      await client.query(`BEGIN ISOLATION LEVEL ${mode}`)
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(close)
      throw error
    }
  })
}
