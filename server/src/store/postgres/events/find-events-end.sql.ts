import type { PoolClient } from 'pg'

const text = `SELECT settled_mark + 1 AS mark FROM generations WHERE settled_mark >= $1 AND settled_mark < $2
  ORDER BY settled_mark OFFSET $3 LIMIT 1`

/** The mark behind the transaction that the last of so many events came in; null where there are fewer. */
export async function findEventsEnd(
  client: PoolClient,
  { from, below, atMost }: { from: string; below: string; atMost: number },
): Promise<string | null> {
  const values = [from, below, atMost - 1]
  const { rows } = await client.query<{ mark: string }>({ name: 'find-events-end', text, values })
  return rows[0]?.mark ?? null
}
