import { join } from 'node:path'
import { migrate } from '#store/postgres/migrate.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

const migrationsFolder = join(import.meta.dirname, '../../../migrations')

export const migrateCommand: Command = {
  words: 'migrate',
  summary: 'Bring the database up to date. Safe to run at any time and several times at once.',
  run: () =>
    withSession(async ({ pool }) => {
      const applied = await migrate(pool, migrationsFolder)
      const lines = applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`)
      return { lines, data: { applied } }
    }),
}
