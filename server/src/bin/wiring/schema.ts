import type { Pool } from 'pg'
import { expectedMigrations } from '#store/postgres/migrate.ts'
import { readSchemaState, type SchemaState } from '#store/postgres/read-schema-state.sql.ts'
import { migrationsFolder } from '../migrations-folder.ts'
import { StartError } from '../start-error.ts'

export const schemaBehind = 'The database is not up to date. Run: weir migrate'

export interface Schema {
  /** `away`: Postgres can not be asked. */
  read(): Promise<SchemaState | 'away'>
  /** Refuses to go on with a database that is not up to date, or that can not be reached. */
  prove(): Promise<void>
}

export function wireSchema(pool: Pool): Schema {
  let expected: Promise<readonly string[]> | undefined
  const read = async (): Promise<SchemaState> => {
    expected ??= expectedMigrations(migrationsFolder)
    return readSchemaState(pool, await expected)
  }
  return {
    read: () => read().catch(() => 'away'),
    prove: async () => {
      if ((await read()) === 'behind') throw new StartError(schemaBehind)
    },
  }
}
