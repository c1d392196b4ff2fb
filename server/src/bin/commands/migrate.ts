import { migrate } from '#store/postgres/migrate.ts'
import { rebaseMarks } from '#store/postgres/rebase-marks.sql.ts'
import { migrationsFolder } from '../migrations-folder.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const migrateCommand: Command = {
  words: 'migrate',
  summary:
    'Bring the database up to date, also after a move to another cluster. Safe at any time and several times at once.',
  run: () =>
    withSession(async ({ pool }) => {
      const applied = await migrate(pool, migrationsFolder)
      const moved = await rebaseMarks(pool)
      const lines = [
        ...applied.map((name) => `applied ${name}`),
        ...(moved ? ['The database was moved here: what is settled from now on is numbered above all before.'] : []),
      ]
      return { lines: lines.length === 0 ? ['The database is up to date.'] : lines, data: { applied, moved } }
    }),
}
