import type { Pool } from 'pg'
import type { WorkerFigure } from '../reconciliation/worker-figures.sql.ts'

/** The bytes of this database on disk, without the write-ahead log. */
export async function readDatabaseSize(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes')
  return rows[0]?.bytes ?? 0
}

/** The size of the database, beside that of its disk where the operator has configured it. */
export async function readDatabaseFigures(pool: Pool, diskBytes: number | null): Promise<WorkerFigure[]> {
  const size: WorkerFigure = { figure: 'database_bytes', label: '', value: await readDatabaseSize(pool) }
  return diskBytes === null ? [size] : [size, { figure: 'database_disk_bytes', label: '', value: diskBytes }]
}
