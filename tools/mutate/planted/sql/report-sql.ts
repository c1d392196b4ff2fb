import { alignColumns } from '../../../lib/align-columns.ts'
import type { Verdicts } from '../read-verdicts.ts'
import type { PlantedSql } from './list-changes.ts'

/** The run fails below this share of caught changes. */
const shareMin = 0.8

/** A table of functions, the survivors with their verdicts, and whether the result passes. */
export function reportSql(
  changes: readonly PlantedSql[],
  survivors: ReadonlySet<PlantedSql>,
  verdicts: Verdicts,
): { lines: string[]; passed: boolean } {
  const rows = [...Map.groupBy(changes, ({ functionName }) => functionName)].map(([name, ofFunction]) =>
    rowOf(name, ofFunction, survivors),
  )
  const judged = [...survivors].map((change) => ({ change, verdict: verdicts.find('sql', keyOf(change)) }))
  const noticed = changes.length - survivors.size
  const open = judged.filter(({ verdict }) => verdict === undefined).length
  return {
    lines: [
      ...alignColumns([['function', 'planted', 'noticed', 'survived'], ...rows, rowOf('all', changes, survivors)]),
      ...judged.map(({ change, verdict }) => `survived  ${describe(change)}  ${verdict ?? 'NO VERDICT'}`),
      `noticed ${noticed}/${changes.length} (${percentOf(noticed, changes.length)}), ${open} survivors without a verdict`,
    ],
    passed: open === 0 && noticed >= shareMin * changes.length,
  }
}

/** The key of a verdict. It has no line number, which would change with every line above it. */
export function keyOf({ functionName, before, after, turn }: PlantedSql): string {
  return `${functionName}: ${before} => ${after}${turn === 1 ? '' : ` (${turn})`}`
}

function rowOf(name: string, changes: readonly PlantedSql[], survivors: ReadonlySet<PlantedSql>): string[] {
  const survived = changes.filter((change) => survivors.has(change)).length
  return [name, String(changes.length), percentOf(changes.length - survived, changes.length), String(survived)]
}

function describe({ name, kind, before, after }: PlantedSql): string {
  return `${name} (${kind})\n    ${before}\n    ${after}`
}

function percentOf(part: number, whole: number): string {
  return whole === 0 ? '100 %' : `${((100 * part) / whole).toFixed(1)} %`
}
