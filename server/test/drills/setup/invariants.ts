import type { Pool } from 'pg'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { findOverspend } from '#test/setup/find-overspend.ts'
import type { Transcript } from './call.ts'
import type { World } from './world.ts'

/** A violated invariant, with the rows that show it. */
interface Finding {
  invariant: string
  what: string
  rows: unknown
}

/** Compares the clients' view with the ledger. Only an empty list is good. */
export async function judgeInvariants({ pool, transcripts, unseen }: World): Promise<Finding[]> {
  const books = await readBooks(pool)
  const audited = await auditLedger(pool, { overdueMs: 0 })
  return [
    ...audited.map((rows) => ({ invariant: 'I1, I3, I4', what: rows.what, rows })),
    ...(await judgeSums(pool)),
    ...(await findOverspend(pool)).map((found) => ({ invariant: 'I8', ...found })),
    ...transcripts.flatMap((seen) => judgeTranscript(seen, books)),
    ...judgeUniqueness(transcripts),
    ...judgeUnseen(transcripts, unseen, books),
  ]
}

interface Entry {
  keyId: string | null
  cost: bigint | null
  charged: bigint | null
  charges: number
  hasLapsed: boolean
}

type Books = ReadonlyMap<string, Entry>

const booksText = `SELECT coalesce(g.id, t.id, l.id) AS id, g.key_id, g.cost_nano, t.amount_nano,
    coalesce(t.charges, 0)::integer AS charges, l.id IS NOT NULL AS has_lapsed
  FROM generations g
  FULL JOIN (SELECT id, sum(amount_nano) AS amount_nano, count(*) AS charges FROM ledger_transfers WHERE kind = 'charge'
             GROUP BY id) AS t ON t.id = g.id
  FULL JOIN lapsed_holds l ON l.id = coalesce(g.id, t.id)`

async function readBooks(pool: Pool): Promise<Books> {
  const { rows } = await pool.query<{
    id: string
    key_id: string | null
    cost_nano: string | null
    amount_nano: string | null
    charges: number
    has_lapsed: boolean
  }>(booksText)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        keyId: row.key_id,
        cost: row.cost_nano === null ? null : BigInt(row.cost_nano),
        charged: row.amount_nano === null ? null : BigInt(row.amount_nano),
        charges: row.charges,
        hasLapsed: row.has_lapsed,
      },
    ]),
  )
}

async function judgeSums(pool: Pool): Promise<Finding[]> {
  const totals = await pool.query<{ credited: string; charged: string; balances: string }>(
    `SELECT (SELECT coalesce(sum(amount_nano), 0) FROM ledger_transfers WHERE credit IN ('wallet', 'customers')) AS credited,
      (SELECT coalesce(sum(amount_nano), 0) FROM ledger_transfers WHERE debit IN ('wallet', 'customers')) AS charged,
      (SELECT coalesce(sum(balance_nano), 0) FROM wallets) AS balances`,
  )
  const unbalanced = await pool.query('SELECT id FROM ledger_postings GROUP BY id HAVING sum(amount_nano) <> 0')
  const findings: Finding[] = []
  for (const row of totals.rows) {
    if (BigInt(row.credited) - BigInt(row.charged) === BigInt(row.balances)) continue
    findings.push({ invariant: 'I1', what: 'credits less charges are the balances', rows: row })
  }
  if (unbalanced.rows.length > 0) {
    findings.push({ invariant: 'I1', what: 'every transaction sums to zero', rows: unbalanced.rows })
  }
  return findings
}

function judgeTranscript(seen: Transcript, books: Books): Finding[] {
  const entry = seen.generationId === null ? undefined : books.get(seen.generationId)
  const findings: Finding[] = []
  const find = (invariant: string, what: string): void => {
    findings.push({ invariant, what, rows: { seen: brief(seen), entry: entry ?? null } })
  }
  const charged = entry?.charged ?? 0n
  if (seen.costNano !== null && seen.costNano !== entry?.cost) find('I2', 'a cost that was shown is in the record')
  if (seen.costNano !== null && seen.costNano !== charged) find('I2', 'a cost that was shown is in the ledger')
  if (charged > 0n && seen.errorCode !== null) find('I2', 'an answer with an error costs nothing')
  const isAnswer = seen.status === 200 && seen.end === 'complete'
  if (isAnswer && seen.tellsCost && seen.costNano === null && charged > 0n)
    find('I2', 'an answer that shows no cost has none')
  if (isAnswer && (entry?.cost ?? null) === null) find('I5', 'an answer that ended has a record')
  if (seen.status === 200 && seen.end === 'broken' && entry === undefined)
    find('I5', 'a call that broke has an outcome')
  if ((entry?.charges ?? 0) > 1) find('I5', 'a call is charged at most once')
  return findings
}

function judgeUniqueness(transcripts: readonly Transcript[]): Finding[] {
  const ids = transcripts.map((seen) => seen.generationId).filter((id) => id !== null)
  const known = new Set<string>()
  const twice = ids.filter((id) => known.size === known.add(id).size)
  return twice.length === 0 ? [] : [{ invariant: 'I5', what: 'every answer has an id of its own', rows: twice }]
}

/** Unseen charges belong to clients whose connection broke before they learned the id. */
function judgeUnseen(transcripts: readonly Transcript[], excused: ReadonlySet<string>, books: Books): Finding[] {
  const known = new Set([...excused, ...transcripts.map((seen) => seen.generationId)])
  const isKnown = (id: string, { keyId }: Entry): boolean => known.has(id) || (keyId !== null && excused.has(keyId))
  const unseen = [...books].filter(([id, entry]) => (entry.charged ?? 0n) > 0n && !isKnown(id, entry))
  const nameless = transcripts.filter((seen) => seen.generationId === null && seen.end !== 'complete')
  if (unseen.length <= nameless.length) return []
  const rows = { charged: unseen, broken: nameless.map(brief) }
  return [{ invariant: 'I2', what: 'every charge was seen, or its client was cut off', rows }]
}

function brief({ text, ...rest }: Transcript): object {
  return { ...rest, text: text.slice(-300) }
}
