import { createTestDatabase } from '../../../../server/test/setup/database.ts'
import { openSandbox, type Sandbox } from '../../lib/sandbox.ts'
import { readVerdicts } from '../read-verdicts.ts'
import { listChanges, type PlantedSql } from './list-changes.ts'
import { readFunctions, type SqlFunction } from './read-functions.ts'
import { reportSql } from './report-sql.ts'
import { roundsOf } from './rounds-of.ts'
import { runRound } from './run-round.ts'

/**
 * Plants every mutation of every SQL function in test databases. Returns true if the tests caught at least 80% of them
 * and every survivor has a verdict. `functions` limits the run to these functions.
 */
export async function plantSql({ functions = [], print = console.log }: SqlOptions = {}): Promise<boolean> {
  const sandbox = await openSandbox()
  try {
    const all = await readAll()
    const chosen = all.filter(({ name }) => functions.length === 0 || functions.includes(name))
    const changes = chosen.flatMap(listChanges)
    const survivors = await findSurvivors(sandbox, changes, print)
    const report = reportSql(changes, survivors, readVerdicts())
    for (const line of report.lines) print(line)
    return report.passed
  } finally {
    await sandbox.close()
  }
}

type SqlOptions = {
  readonly functions?: readonly string[]
  readonly print?: (line: string) => void
}

async function readAll(): Promise<SqlFunction[]> {
  const database = await createTestDatabase()
  try {
    return await readFunctions(database.pool)
  } finally {
    await database.drop()
  }
}

/** Works in rounds: each test file sees only the changes that the files before it did not catch. */
async function findSurvivors(
  sandbox: Sandbox,
  changes: readonly PlantedSql[],
  print: (line: string) => void,
): Promise<ReadonlySet<PlantedSql>> {
  const survivors = new Set(changes)
  for (const test of new Set(Object.values(roundsOf).flat())) {
    const shown = [...survivors].filter(({ functionName }) => roundsOf[functionName]?.includes(test) === true)
    if (shown.length === 0) continue
    const startedMs = performance.now()
    const noticed = await runRound(sandbox, test, shown)
    for (const change of noticed.keys()) survivors.delete(change)
    const late = [...noticed.values()].filter((message) => message.includes('timed out')).length
    const seconds = (performance.now() - startedMs) / 1_000
    print(
      `${test} noticed ${noticed.size}/${shown.length}, ${late} by a timeout, in ${seconds.toFixed(0)} s; ${survivors.size} are left`,
    )
  }
  return survivors
}
