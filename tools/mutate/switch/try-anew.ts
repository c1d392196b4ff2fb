import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../lib/run-command.ts'
import type { Mutant } from '../instrument.ts'
import { deadOf, readEntries } from './journal.ts'

/** A process that runs for this long hangs in a mutant's loop. */
const hangsAfterMs = 120_000

/**
 * Mutants that act while a module is loaded cannot be switched on later. Each surviving one gets its own process, in
 * which it is on from the start, and the tests nearest to its file.
 */
export async function tryAnew({ root, folder, mutants, testsNear, workers }: Anew): Promise<void> {
  const entries = readEntries(folder)
  const dead = deadOf(entries)
  const outside = new Set(entries.flatMap((entry) => (entry.kind === 'file' ? entry.reachedOutside : [])))
  const waiting = mutants.filter(({ id }) => outside.has(id) && !dead.has(id))
  const sound = new Map<string, Promise<boolean>>()
  const tryNext = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const tests = testsNear(mutant)
      const key = tests.join('\n')
      sound.set(key, sound.get(key) ?? passes(root, tests))
      if (!(await sound.get(key))) continue
      const hasDied = !(await passes(root, tests, mutant.id))
      const test = `a fresh process with ${tests[0]}`
      const entry = { kind: 'test', file: tests[0], test, attempts: [{ id: mutant.id, hasDied }] }
      appendFileSync(join(folder, 'anew.jsonl'), `${JSON.stringify(entry)}\n`)
    }
  }
  await Promise.all(Array.from({ length: workers }, tryNext))
}

export interface Anew {
  readonly root: string
  readonly folder: string
  readonly mutants: readonly Mutant[]
  testsNear(mutant: Mutant): readonly string[]
  readonly workers: number
}

/** Whether the tests pass, unchanged or with a mutant that is on from the start. */
async function passes(root: string, tests: readonly string[], id?: string): Promise<boolean> {
  if (tests.length === 0) return false
  const config = join(root, 'tools/mutate/switch/vitest.anew.config.ts')
  const env = id === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: id }
  const command = [
    'vitest',
    'run',
    '--bail=1',
    '--config',
    config,
    '--reporter=dot',
    ...tests.map((path) => join(root, path)),
  ]
  if (!existsSync(root)) throw new Error(`${root} was removed`)
  const { code } = await runCommand(command, { cwd: join(root, 'server'), env, endsAfterMs: hangsAfterMs })
  return code === 0
}
