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
    summary: 'Serve the API until SIGTERM.',
    options: {
      processes: {
        type: 'string',
        value: '<count>',
        description:
          'How many processes share the port; SIGHUP replaces them one by one. Each has an operating port of its own, one above the other.',
      },
    },
    async run(input) {
      // Before the server is loaded, which takes longer: an operator who mistyped a setting is told at once.
      const config = await readConfig()
      const processes = readCount(input, 'processes', 1)
      if (processes > 1 && gatewayPlace(process.env) === null) {
        const { runGatewayProcesses } = await import('../gateway-processes.ts')
        return { lines: [], exitCode: await runGatewayProcesses(config, processes) }
      }
      // Loaded only here: other commands need neither the server nor its dependencies.
      const { runGateway } = await import('../gateway.ts')
      await runGateway(config)
      return undefined
    },
  },
  {
    words: 'worker',
    summary: 'Do what outlives a request, until SIGTERM.',
    async run() {
      const config = await readConfig()
      const { runWorker } = await import('../worker.ts')
      await runWorker(config)
      return undefined
    },
  },
  {
    words: 'dev',
    summary: 'Try it: a gateway and a worker with demo data, on Postgres and Redis of this machine.',
    async run() {
      const { runDev } = await import('../dev.ts')
      await runDev()
      return undefined
    },
  },
  {
    words: 'migrate',
    summary:
      'Bring the database up to date, also after a move to another cluster. Safe at any time and several times at once. An empty database gets the starter catalogue, and where there is no account the first is made as the settings `init` say.',
    options: {
      'no-catalogue': { type: 'boolean', description: 'Leave the catalogue of an empty database empty.' },
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
            ? ['The database was moved here: what is settled from now on is numbered above all before.']
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
  if (first.kind === 'made') return [`made the first account, ${first.email}`]
  return [`There is no account yet. Make the first one in the console with the token ${first.token}`]
}

async function importStarter(pool: Pool): Promise<{ date: string | null; models: number }> {
  const { rows, date } = readStarterCatalogue()
  const { models } = await createCatalogueStore(pool).import(rows, Date.now())
  return { date, models }
}
