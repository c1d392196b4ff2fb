import type { Pool } from 'pg'
import { readSchemaState, type SchemaState } from '#store/postgres/schema/read-schema-state.sql.ts'
import { readSchemaSource, type SchemaSource } from '#store/postgres/schema/schema-source.ts'
import { programFiles } from './program-files.ts'
import { StartError } from './start-error.ts'

export const schemaBehind = 'The database schema is out of date. Run: weir migrate'

export interface Schema {
  /** Resolves with `away` if Postgres is unavailable. */
  read(): Promise<SchemaState | 'away'>
  /** Throws if the database is not up to date or cannot be reached. */
  prove(): Promise<void>
}

export function createSchema(pool: Pool): Schema {
  let expected: Promise<SchemaSource> | undefined
  const read = async (): Promise<SchemaState> => {
    expected ??= readSchemaSource(programFiles.sqlFolder)
    return readSchemaState(pool, await expected)
  }
  return {
    read: () => read().catch(() => 'away'),
    prove: async () => {
      if ((await read()) === 'behind') throw new StartError(schemaBehind)
    },
  }
}
