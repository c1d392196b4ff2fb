import type { Pool } from 'pg'

/** The Postgres settings that matter to money. */
interface EngineFacts {
  readonly version: string
  readonly versionNumber: number
  readonly isReadOnly: boolean
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly standbyNames: string
  readonly timeZone: string
  readonly connectionsMax: number
  readonly connectionsUsed: number
  readonly nowMs: number
  readonly archive: ArchiveFacts
}

interface ArchiveFacts {
  readonly mode: string
  readonly lastArchivedMs: number | null
  readonly lastFailedMs: number | null
}

const text = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS "versionNumber",
    pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('synchronous_standby_names') AS "standbyNames",
    current_setting('TimeZone') AS "timeZone",
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS "connectionsMax",
    (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS "connectionsUsed",
    extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs",
    json_build_object('mode', current_setting('archive_mode'),
      'lastArchivedMs', extract(epoch FROM a.last_archived_time) * 1000,
      'lastFailedMs', extract(epoch FROM a.last_failed_time) * 1000) AS archive
  FROM pg_stat_archiver a`

export async function readEngineFacts(pool: Pool): Promise<EngineFacts> {
  const { rows } = await pool.query<EngineFacts>(text)
  const [facts] = rows
  if (facts === undefined) throw new Error('the settings query returned no row')
  return facts
}

/** The shortest statement, to measure the round trip. */
export async function pingPostgres(pool: Pool): Promise<void> {
  await pool.query('SELECT 1')
}
