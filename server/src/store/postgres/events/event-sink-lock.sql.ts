import type { PoolClient } from 'pg'

const lockText = `SELECT pg_try_advisory_lock(hashtext('weir.events'), hashtext($1)) AS locked`
const unlockText = `SELECT pg_advisory_unlock(hashtext('weir.events'), hashtext($1))`

/** False: another worker has this sink. The lock is the connection's, so it ends with the process as well. */
export async function lockEventSink(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'lock-event-sink',
    text: lockText,
    values: [name],
  })
  return rows[0]?.locked === true
}

export async function unlockEventSink(client: PoolClient, name: string): Promise<void> {
  await client.query({ name: 'unlock-event-sink', text: unlockText, values: [name] })
}
