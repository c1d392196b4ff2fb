import { parseArgs } from 'node:util'
import { plantFault } from './faults/plant-fault.ts'

/**
 * `npm run simulate [-- --seeds N] [-- --sql N] [-- --seed N] [-- --short] [-- --faults NAME…]`: runs the money
 * pipeline in worlds derived from seeds, over a model of the store and over Postgres, and checks the ledger after every
 * statement.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    /** Replays one seed and prints its events. */
    seed: { type: 'string' },
    from: { type: 'string' },
    seeds: { type: 'string' },
    sql: { type: 'string' },
    faults: { type: 'boolean', default: false },
    /** Runs with a planted fault, which should be found. */
    plant: { type: 'string' },
  },
})

const counted = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : Number(text))

// Faults are planted at load time, so nothing under test is imported before.
if (values.plant !== undefined) plantFault(values.plant)

if (values.faults) {
  const { findFaults } = await import('./faults/find-faults.ts')
  process.exitCode = (await findFaults(positionals)) ? 0 : 1
} else {
  const { simulate } = await import('./simulate.ts')
  const isReplay = values.seed !== undefined
  const passed = await simulate({
    from: isReplay ? Number(values.seed) : values.from === undefined ? null : Number(values.from),
    isShort: values.short,
    isReplay,
    modelSeeds: isReplay ? 1 : counted(values.seeds, values.short ? 3_000 : 100_000),
    sqlSeeds: isReplay ? Math.min(1, counted(values.sql, 0)) : counted(values.sql, values.short ? 15 : 1_000),
    plant: values.plant ?? null,
  })
  process.exitCode = passed ? 0 : 1
}
