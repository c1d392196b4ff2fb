import type { Pool } from 'pg'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import type { Command } from '../command-line/command.ts'
import { readCount } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'
import { type FirstRunOutcome, runFirst } from '../first-run.ts'
import { gatewayPlace } from '../gateway-place.ts'
import { programFiles } from '../program-files.ts'
import { readConfig } from '../read-config.ts'
import { readStarterCatalogue } from '../starter-catalogue.ts'

export const deploymentCommands: readonly Command[] = [
  {
    words: 'gateway',
    summary: 'Run the gateway until SIGTERM.',
    options: {
      processes: {
        type: 'string',
        value: '<count>',
        description:
          'Number of processes that share the port; SIGHUP replaces them one by one. Each uses its own operating port, counting up.',
      },
    },
    async run(input) {
      // Reads the configuration before loading the server, which takes longer, so that a mistyped setting is reported
      // at once.
      const config = await readConfig()
      const processes = readCount(input, 'processes', 1)
      if (processes > 1 && gatewayPlace(process.env) === null) {
        const { runGatewayProcesses } = await import('../gateway-processes.ts')
        return { lines: [], exitCode: await runGatewayProcesses(config, processes) }
      }
      // Imported here because other commands need neither the server nor its dependencies.
      const { runGateway } = await import('../gateway.ts')
      await runGateway(config)
      return undefined
    },
  },
  {
    words: 'worker',
    summary: 'Run the background worker until SIGTERM.',
    async run() {
      const config = await readConfig()
      const { runWorker } = await import('../worker.ts')
      await runWorker(config)
      return undefined
    },
  },
  {
    words: 'dev',
    summary: 'Run a demo: a gateway and a worker with sample data, on local Postgres and Redis.',
    async run() {
      const { runDev } = await import('../dev.ts')
      await runDev()
      return undefined
    },
  },
  {
    words: 'migrate',
    summary:
      'Migrate the database, also after a move to another cluster. Safe to run at any time and concurrently. Fills an empty database with the starter catalogue, and creates the first account from the `init` settings if there is none.',
    options: {
      'no-catalogue': { type: 'boolean', description: 'Do not import the starter catalogue into an empty database.' },
    },
    run: (input) =>
      withSession(async ({ pool, config, announce }) => {
        const { migrations, functions, isMoved, wasEmpty } = await prepareDatabase(pool, programFiles.sqlFolder)
        const starter = wasEmpty && !input.flag('no-catalogue') ? await importStarter(pool) : null
        const { setUpDepsOf } = await import('../wiring/set-up.ts')
        const first = await runFirst(setUpDepsOf({ config, pool, announce, nowMs: Date.now }), config)
        const lines = [
          ...migrations.map((name) => `applied ${name}`),
          ...(functions.length === 0 ? [] : [`replaced ${functions.join(', ')}`]),
          ...(isMoved
            ? ['The database was moved to this cluster: new settlements are numbered above all earlier ones.']
            : []),
          ...(starter === null ? [] : [`starter catalogue of ${starter.date}: ${starter.models} models`]),
        ]
        return {
          lines: [...(lines.length === 0 ? ['The database is up to date.'] : lines), ...linesOf(first)],
          data: { applied: migrations, replaced: functions, moved: isMoved, starter, firstRun: first },
        }
      }),
  },
]

function linesOf(first: FirstRunOutcome): string[] {
  if (first.kind === 'over') return []
  if (first.kind === 'made') return [`created the first account, ${first.email}`]
  return [`There is no account yet. Create the first one in the console with the token ${first.token}`]
}

async function importStarter(pool: Pool): Promise<{ date: string | null; models: number }> {
  const { rows, date } = readStarterCatalogue()
  const { models } = await createCatalogueStore(pool).import(rows, Date.now())
  return { date, models }
}
