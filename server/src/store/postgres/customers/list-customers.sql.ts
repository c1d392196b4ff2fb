import type { Pool } from 'pg'
import type { CustomerSearch } from '#domain/customers/parse-customer-search.ts'
import type { CustomerKind, CustomerListing, CustomerQuery } from '#ports/customers.ts'
import { readNano } from '../column-values.ts'

export interface CustomerRow {
  kind: CustomerKind
  id: string
  wallet_id: string
  name: string
  address: string
  suspended_at: Date | null
  created_at: Date
  balance_nano: string
  held_nano: string
  credit_line_nano: string
}

export const customerColumns = {
  user: `SELECT 'user' AS kind, c.id, c.name, c.email AS address, c.suspended_at, c.created_at FROM users c`,
  organization: `SELECT 'organization' AS kind, c.id, c.name, c.slug AS address, c.suspended_at, c.created_at FROM organizations c`,
} as const

export const walletColumns = `w.id AS wallet_id, w.balance_nano, w.held_nano, w.credit_line_nano`

/** Customers whose words, ids or keys match, in the order of their ids, which is that of their age. */
export async function listCustomers(pool: Pool, query: CustomerQuery): Promise<CustomerListing[]> {
  const { text, values } = customerStatement(query)
  const { rows } = await pool.query<CustomerRow>(text, [...values])
  return rows.map(listingOf)
}

export function listingOf(row: CustomerRow): CustomerListing {
  return {
    kind: row.kind,
    id: row.id,
    walletId: row.wallet_id,
    name: row.name,
    address: row.address.startsWith('deleted:') ? null : row.address,
    suspendedAtMs: row.suspended_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    balance: readNano(row.balance_nano),
    held: readNano(row.held_nano),
    creditLine: readNano(row.credit_line_nano),
  }
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const kinds: readonly CustomerKind[] = ['user', 'organization']

/** Not a named statement: the index of a prefix is used only if the prefix is known when the statement is planned. */
export function customerStatement(query: CustomerQuery): { text: string; values: readonly unknown[] } {
  const { search, kind, suspended, before, limit } = query
  const found = foundBy(search)
  const state = suspended === null ? '' : ` AND c.suspended_at IS ${suspended ? 'NOT NULL' : 'NULL'}`
  const parts = kinds
    .filter((each) => kind === null || kind === each)
    .map((each) => {
      const among = found === null ? '' : ` AND c.id IN (SELECT id FROM found WHERE kind = '${each}')`
      return `(${customerColumns[each]} WHERE c.id < $1${state}${among} ORDER BY c.id DESC LIMIT $2)`
    })
  // Found first: the planner would otherwise read the newest customers until enough of them match.
  const text = `${found === null ? '' : `WITH found AS MATERIALIZED (${found.text}) `}SELECT c.*, ${walletColumns}
    FROM (${parts.join(' UNION ALL ')}) AS c JOIN wallets w ON w.owner_kind = c.kind AND w.owner_id = c.id
    ORDER BY c.id DESC LIMIT $2`
  return { text, values: [before ?? lastId, limit, ...(found?.values ?? [])] }
}

/** Postgres' own parser reads an address as one word, and splits a slug where a part of it looks like a number. */
export function wordsOf(address: 'email' | 'slug'): string {
  const words = `regexp_split_to_array(lower(${address} || ' ' || name), '[[:punct:][:space:]]+')`
  return `array_to_tsvector(array_remove(${words}, ''))`
}

function foundBy(search: CustomerSearch): { text: string; values: readonly unknown[] } | null {
  switch (search.by) {
    case 'everything':
      return null
    case 'nothing':
      return { text: `SELECT NULL::text AS kind, NULL::uuid AS id WHERE false`, values: [] }
    case 'id':
      return {
        text: `SELECT 'user' AS kind, id FROM users WHERE id = $3
          UNION SELECT 'organization', id FROM organizations WHERE id = $3
          UNION SELECT owner_kind, owner_id FROM wallets WHERE id = $3
          UNION SELECT w.owner_kind, w.owner_id FROM api_keys k JOIN wallets w ON w.id = k.wallet_id WHERE k.id = $3`,
        values: [search.id],
      }
    case 'key':
      return {
        text: `SELECT DISTINCT w.owner_kind AS kind, w.owner_id AS id FROM api_keys k JOIN wallets w ON w.id = k.wallet_id
          WHERE k.prefix LIKE $3 AND ($4::text IS NULL OR k.suffix = $4)`,
        values: [`${search.prefix}%`, search.suffix],
      }
    case 'words':
      return {
        text: `SELECT 'user' AS kind, id FROM users WHERE ${wordsOf('email')} @@ $3::tsquery
          UNION ALL SELECT 'organization', id FROM organizations WHERE ${wordsOf('slug')} @@ $3::tsquery`,
        values: [search.words.map((word) => `'${word}':*`).join(' & ')],
      }
  }
}
