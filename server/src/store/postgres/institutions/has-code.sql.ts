import type { Pool } from 'pg'

const text = 'SELECT 1 FROM institution_codes WHERE subject = $1'

export async function hasCode(pool: Pool, subject: Buffer): Promise<boolean> {
  const { rows } = await pool.query({ name: 'has-code', text, values: [subject] })
  return rows.length > 0
}
