import type { Pool } from 'pg'
import type { SchemaSource } from './schema-source.ts'

/**
 * `read-only`: a standby, or a primary that an operator or a full disk made read-only. The gateway cannot hold or
 * charge there.
 */
export type SchemaState = 'current' | 'behind' | 'read-only'

const noSuchTable = '42P01'

/**
 * Whether every migration that this program expects has run, every function has had its expected definition, and
 * Postgres accepts writes. Further migrations and later definitions are fine: a newer program is being deployed.
 */
export async function readSchemaState(pool: Pool, { migrations, functions }: SchemaSource): Promise<SchemaState> {
  try {
    const { rows } = await pool.query<{ is_behind: boolean; is_read_only: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS is_read_only, EXISTS (SELECT 1 FROM unnest($1::text[]) AS e (name)
                      WHERE NOT EXISTS (SELECT 1 FROM schema_migrations m WHERE m.name = e.name))
         OR EXISTS (SELECT 1 FROM unnest($2::text[], $3::text[]) AS e (name, hash)
                    WHERE NOT EXISTS (SELECT 1 FROM schema_functions f WHERE f.name = e.name AND f.hash = e.hash)) AS is_behind`,
      [migrations.map(({ name }) => name), functions.map(({ name }) => name), functions.map(({ hash }) => hash)],
    )
    const [state] = rows
    if (state?.is_behind !== false) return 'behind'
    return state.is_read_only ? 'read-only' : 'current'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === noSuchTable) return 'behind'
    throw error
  }
}
