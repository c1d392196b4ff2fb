import type { ImportedRow, ImportResult } from '../../api/import-members.ts'

/**
 * The results of the parts of a file as one, with the rows that were left out. The maximum cost is that after the last
 * part.
 */
export function joinResults(parts: readonly ImportResult[], errors: readonly ImportedRow[]): ImportResult | null {
  const last = parts.at(-1)
  if (last === undefined) return null
  const failed = new Set(errors.map(({ row }) => row))
  const rows = [...parts.flatMap((part) => part.rows.filter(({ row }) => !failed.has(row))), ...errors]
  const count = (outcome: ImportedRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  return {
    rows: rows.toSorted((one, other) => Number(one.row) - Number(other.row)),
    newTeams: parts.flatMap(({ newTeams }) => newTeams),
    maximumCost: last.maximumCost,
    counts: {
      invite: count('invite'),
      change: count('change'),
      unchanged: count('unchanged'),
      error: count('error'),
    },
  }
}
