import type { JsonObject } from '#lib/json.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import type { LedgerSnapshot } from './open-snapshot.ts'

/** One invariant. */
export interface Check {
  find(snapshot: LedgerSnapshot): Promise<Discrepancy[]>
  /** The same finding with the rows that show it. */
  show(snapshot: LedgerSnapshot, discrepancy: Discrepancy): Promise<Discrepancy>
}

interface FoundRow {
  readonly walletId: string | null
  readonly what: string
  readonly table: string
  readonly day: string | null
  readonly subject: string | null
  readonly expected: string
  readonly found: string
}

/** An operator does not read every line of a broken ledger. */
export const findingsMax = 1_000
export const rowsMax = 20

/** A check in SQL. A limit is appended to both statements. */
export function sqlCheck(check: {
  /** Selects the columns of a discrepancy, except the month. */
  readonly text: string
  readonly values: (snapshot: LedgerSnapshot) => readonly unknown[]
  readonly rowsText: string
  readonly rowsValues: (discrepancy: Discrepancy, snapshot: LedgerSnapshot) => readonly unknown[]
}): Check {
  return {
    async find({ client, ...snapshot }) {
      const values = check.values({ client, ...snapshot })
      const { rows } = await client.query<FoundRow>(`${check.text} LIMIT ${findingsMax}`, [...values])
      return rows.map((row) => ({ ...row, month: monthOf(row.day), rows: [] }))
    },
    async show(snapshot, discrepancy) {
      const values = check.rowsValues(discrepancy, snapshot)
      const { rows } = await snapshot.client.query<JsonObject>(`${check.rowsText} LIMIT ${rowsMax}`, [...values])
      return { ...discrepancy, rows }
    },
  }
}

export function monthOf(day: string | null): string | null {
  return day === null ? null : `${day.slice(0, -2)}01`
}

/** The findings in order. The first ones include the rows that show them. */
export async function runChecks(snapshot: LedgerSnapshot, checks: readonly Check[]): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = []
  for (const check of checks) {
    const found = await check.find(snapshot)
    const [first, ...others] = found
    if (first === undefined) continue
    discrepancies.push(...(discrepancies.length === 0 ? [await check.show(snapshot, first), ...others] : found))
  }
  return discrepancies
}

/** The day (UTC) on which a version 7 id was created, as SQL. Requests get their id when they are accepted. */
export function dayOfId(id: string): string {
  return `(to_timestamp(('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date`
}
