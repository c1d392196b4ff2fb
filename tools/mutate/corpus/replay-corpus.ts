import { alignColumns } from '../../lib/align-columns.ts'
import { redTitles } from '../lib/red-titles.ts'
import { openSandbox, type Sandbox } from '../lib/sandbox.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'

/**
 * Plants every fault of the corpus alone, and then all compatible ones together. Returns true if tests caught each.
 * `ids` restricts the faults that are planted alone and skips the joint run.
 */
export async function replayCorpus(options: CorpusOptions = {}): Promise<boolean> {
  const { ids = [], print = console.log } = options
  const chosen = faults.filter(({ id }) => ids.length === 0 || ids.includes(id))
  if (chosen.length < ids.length) throw new Error(`not all of these are faults of the corpus: ${ids.join(', ')}`)
  const sandbox = await openSandbox()
  try {
    const rows: string[][] = [['fault', 'noticed by', 'what is wrong']]
    let survived = 0
    for (const [at, fault] of chosen.entries()) {
      const [first] = await titlesOf(sandbox, [fault], { untilFirst: true })
      print(`${at + 1}/${chosen.length} ${fault.id} ${first === undefined ? 'SURVIVED' : `noticed: ${first}`}`)
      rows.push([fault.id, first ?? 'NOBODY', fault.what])
      if (first === undefined) survived += 1
    }
    for (const line of tableOf(rows)) print(line)
    print(`noticed ${chosen.length - survived}/${chosen.length} of the faults planted alone`)
    return (ids.length > 0 || (await replayTogether(sandbox, print))) && survived === 0
  } finally {
    await sandbox.close()
  }
}

type CorpusOptions = {
  readonly ids?: readonly string[]
  readonly print?: (line: string) => void
}

async function replayTogether(sandbox: Sandbox, print: (line: string) => void): Promise<boolean> {
  const together = faults.filter(({ alsoTogether }) => alsoTogether)
  const titles = await titlesOf(sandbox, together, { untilFirst: false })
  print(`${titles.length} red tests with all ${together.length} faults planted at once, at least ${together.length}`)
  return titles.length >= together.length
}

async function titlesOf(
  sandbox: Sandbox,
  planted: readonly Fault[],
  { untilFirst }: { untilFirst: boolean },
): Promise<string[]> {
  const paths = [...new Set(planted.flatMap(({ tests }) => tests))]
  return redTitles(await sandbox.runWith(planted, { paths, untilFirst }))
}

function tableOf(rows: readonly (readonly string[])[]): string[] {
  return alignColumns(rows.map((row) => row.map(shorten)))
}

/** Long titles are cut so that each row fits on one line. */
function shorten(cell: string): string {
  return cell.length > 90 ? `${cell.slice(0, 89)}…` : cell
}
