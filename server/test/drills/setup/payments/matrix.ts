/** Counts how often each fault met each kill point, and how often something was wrong afterwards. */
interface Matrix {
  readonly failures: readonly string[]
  /** Returns the recorded findings. */
  note(cell: CellNames, found: readonly string[]): readonly string[]
  lines(): string[]
}

interface CellNames {
  /** The fault of each order. */
  readonly faults: readonly string[]
  readonly kill: string
}

interface Count {
  readonly runs: number
  readonly failures: number
}

export function createMatrix(kills: readonly string[]): Matrix {
  const rows = new Map<string, Map<string, Count>>()
  const failures: string[] = []
  const totals = { runs: 0, faults: 0 }
  return {
    failures,
    note: ({ faults, kill }, found) => {
      totals.runs += 1
      totals.faults += faults.length
      for (const fault of new Set(faults)) {
        const row = rows.get(fault) ?? new Map<string, Count>()
        rows.set(fault, row)
        const { runs, failures: failed } = row.get(kill) ?? { runs: 0, failures: 0 }
        row.set(kill, { runs: runs + 1, failures: failed + (found.length > 0 ? 1 : 0) })
      }
      const added = found.map((what) => `${[...new Set(faults)].join(', ')} × ${kill}: ${what}`)
      failures.push(...added)
      return added
    },
    lines: () => [
      `${totals.runs} runs, ${totals.faults} faults, ${failures.length} failures; each column: runs/failures`,
      ['fault'.padEnd(nameWidth), ...kills.map((kill) => kill.padStart(kill.length + gap))].join(''),
      ...[...rows.entries()]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([fault, row]) => [fault.padEnd(nameWidth), ...kills.map((kill) => shown(row, kill))].join('')),
    ],
  }
}

const nameWidth = 20
const gap = 2

function shown(row: ReadonlyMap<string, Count>, kill: string): string {
  const count = row.get(kill)
  return (count === undefined ? '·' : `${count.runs}/${count.failures}`).padStart(kill.length + gap)
}
