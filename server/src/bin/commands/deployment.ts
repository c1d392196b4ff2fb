import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import type { Command } from '../command-line/command.ts'
import { withSession } from '../command-line/session.ts'
import { sqlFolder } from '../sql-folder.ts'

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
        const { migrations, functions, isMoved } = await prepareDatabase(pool, sqlFolder)
        const lines = [
          ...migrations.map((name) => `applied ${name}`),
          ...(functions.length === 0 ? [] : [`replaced ${functions.join(', ')}`]),
          ...(isMoved
            ? ['The database was moved here: what is settled from now on is numbered above all before.']
            : []),
        ]
        return {
          lines: lines.length === 0 ? ['The database is up to date.'] : lines,
          data: { applied: migrations, replaced: functions, moved: isMoved },
        }
      }),
  },
]
