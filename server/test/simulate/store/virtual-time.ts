import type { Pool } from 'pg'

/**
 * Gives a database virtual time. The money functions call `now()` and `clock_timestamp()` without a schema, so a
 * session whose search path names another schema before `pg_catalog` calls the functions created here; the SQL under
 * test is unchanged.
 */
export async function createVirtualTime(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA virtual;
    CREATE FUNCTION virtual.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT pg_catalog.to_timestamp(pg_catalog.current_setting('simulate.now_ms')::numeric / 1000)
    $$;
    CREATE FUNCTION virtual.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT virtual.clock_timestamp()'`)
}

/** The `options` of a connection. */
export const virtualSession = '-c search_path=virtual,pg_catalog,public -c simulate.now_ms=0 -c timezone=UTC'

export async function setVirtualTime(pool: Pool, nowMs: number): Promise<void> {
  await pool.query({
    name: 'set-virtual-time',
    text: "SELECT set_config('simulate.now_ms', $1, false)",
    values: [String(nowMs)],
  })
}
