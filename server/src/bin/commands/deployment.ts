import { migrate } from '#store/postgres/migrate.ts'
import { rebaseMarks } from '#store/postgres/rebase-marks.sql.ts'
import type { Command } from '../command-line/command.ts'
import { withSession } from '../command-line/session.ts'
import { migrationsFolder } from '../migrations-folder.ts'

export const deploymentCommands: readonly Command[] = [
  {
    words: 'gateway',
    summary: 'Serve the API until SIGTERM.',
    async run() {
      // Loaded only here: other commands need neither the server nor its dependencies.
      const { runGateway } = await import('../gateway.ts')
      await runGateway()
      return undefined
    },
  },
  {
    words: 'worker',
    summary: 'Do what outlives a request, until SIGTERM.',
    async run() {
      const { runWorker } = await import('../worker.ts')
      await runWorker()
      return undefined
    },
  },
  {
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
  },
]
