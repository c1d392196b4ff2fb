import type { Pool } from 'pg'

export type SqlFunction = { readonly name: string; readonly definition: string }

/** The functions of a migrated database, as Postgres prints them. */
export async function readFunctions(pool: Pool): Promise<SqlFunction[]> {
  const { rows } = await pool.query<SqlFunction>(
    `SELECT p.proname AS name, pg_get_functiondef(p.oid) AS definition FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('sql', 'plpgsql') AND p.prokind = 'f'
     ORDER BY p.proname, p.oid`,
  )
  return rows
}
