import type { Pool, PoolClient } from 'pg'
import { GatewayError } from '#errors/gateway-error.ts'

/** Commits what `work` did, or nothing of it. */
export async function inTransaction<Result>(
  pool: Pool,
  mode: 'READ COMMITTED' | 'REPEATABLE READ, READ ONLY',
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let fault: Error | undefined
  try {
    await client.query(`BEGIN ISOLATION LEVEL ${mode}`)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    const rolledBack = await client.query('ROLLBACK').catch(() => null)
    // A refusal of our own says nothing about the connection, and anybody could provoke them.
    if (error instanceof GatewayError && rolledBack !== null) throw error
    fault = error instanceof Error ? error : new Error(String(error))
    throw fault
  } finally {
    // After a fault the connection may be in any state; it is closed rather than handed to the next.
    client.release(fault)
  }
}
