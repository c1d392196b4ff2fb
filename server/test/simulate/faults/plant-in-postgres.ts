import type { Pool } from 'pg'
import { faultNamed, replaceIn } from './faults.ts'

/** Changes a database function if the fault is in one. */
export async function plantInPostgres(pool: Pool, name: string): Promise<void> {
  const fault = faultNamed(name)
  if (!('sqlFunction' in fault.where)) return
  const { rows } = await pool.query<{ text: string }>('SELECT pg_get_functiondef($1::regproc) AS text', [
    fault.where.sqlFunction,
  ])
  await pool.query(replaceIn(rows[0]?.text ?? '', fault))
}
