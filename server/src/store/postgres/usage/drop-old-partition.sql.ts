import type { Pool } from 'pg'

export interface OldPartition {
  readonly partition: string
  readonly isDropped: boolean
}

const texts = {
  drop_old_day: 'SELECT partition, is_dropped AS "isDropped" FROM drop_old_day($1)',
  drop_old_month: 'SELECT partition, is_dropped AS "isDropped" FROM drop_old_month($1)',
}

/** The oldest partition where it is old enough, dropped or held back. */
export async function dropOldPartition(
  pool: Pool,
  procedure: keyof typeof texts,
  keep: number,
): Promise<OldPartition | undefined> {
  const { rows } = await pool.query<OldPartition>({ name: procedure, text: texts[procedure], values: [keep] })
  return rows[0]
}
