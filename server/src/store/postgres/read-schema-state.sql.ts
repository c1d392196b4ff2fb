import type { Pool } from 'pg'

export type SchemaState = 'current' | 'behind'

const noSuchTable = '42P01'

/** Whether every migration that this program expects has run. More of them do no harm: a newer program is being deployed. */
export async function readSchemaState(pool: Pool, expected: readonly string[]): Promise<SchemaState> {
  try {
    const { rows } = await pool.query<{ name: string }>('SELECT name FROM schema_migrations')
    const applied = new Set(rows.map(({ name }) => name))
    return expected.every((name) => applied.has(name)) ? 'current' : 'behind'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === noSuchTable) return 'behind'
    throw error
  }
}
