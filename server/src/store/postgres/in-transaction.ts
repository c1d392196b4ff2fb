import type { Pool, PoolClient } from 'pg'
import { withClient } from './with-client.ts'

/** Commits what `work` did, or nothing of it. */
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
