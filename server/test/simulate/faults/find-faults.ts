import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Fault, faultNamed, faults } from './faults.ts'

const run = promisify(execFile)
const modelSeedsMax = 50_000
// Batches of plain settles are rare: a fault in them is found after some hundred seeds.
const sqlSeedsMax = 1_500

/**
 * Plants each fault, or the named ones, in its own process and prints the seed that found it; false if one was not
 * found.
 */
export async function findFaults(names: readonly string[]): Promise<boolean> {
  let missed = 0
  const chosen = names.length === 0 ? faults : names.map(faultNamed)
  for (const fault of chosen) {
    const found = await findFault(fault)
    if (found === null) missed += 1
    process.stdout.write(`${fault.name}: ${found ?? 'NOT FOUND'}\n`)
  }
  process.stdout.write(`${chosen.length - missed} of ${chosen.length} faults were found\n`)
  return missed === 0
}

async function findFault({ name, where }: Fault): Promise<string | null> {
  const isSql = 'sqlFunction' in where
  const counts = isSql ? ['--seeds', '0', '--sql', `${sqlSeedsMax}`] : ['--seeds', `${modelSeedsMax}`, '--sql', '0']
  const words = [join(import.meta.dirname, '../run.ts'), '--plant', name, '--from', '1', ...counts]
  const output = await run(process.execPath, words).then(
    () => null,
    (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
  )
  if (output === null) return null
  const [, seed, violation] = /seed (\d+) failed.*\n\s*(.*)/.exec(output) ?? []
  if (seed === undefined) throw new Error(`${name}: ${output.slice(0, 2_000)}`)
  return `seed ${seed}, ${violation ?? ''}`
}
