import type { Pool } from 'pg'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberPerson, UsageSubjects } from '#ports/usage.ts'
import { readNano } from '../column-values.ts'
import { findTerms } from '../end-customers/end-customers.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { findRunId } from '../runs/runs.sql.ts'
import { createTagReads } from '../tags/postgres-tags.ts'

/** Wallets and the names of their keys, members and teams in Postgres. */
export function createPostgresUsageSubjects(pool: Pool): UsageSubjects {
  const tags = createTagReads(pool)
  return {
    readWallet: (walletId) => refuseWhenAway(readWalletFacts(pool, walletId)),
    readKeyNames: (query) => refuseWhenAway(readKeyNames(pool, query)),
    readPeople: (query) => refuseWhenAway(readPeople(pool, query)),
    readTeamNames: (query) => refuseWhenAway(readTeamNames(pool, query)),
    findTag: tags.find,
    findCustomer: async (walletId, externalId) =>
      (await refuseWhenAway(findTerms(pool, walletId, externalId)))?.id ?? null,
    findRun: (walletId, externalId) => refuseWhenAway(findRunId(pool, walletId, externalId)),
    readTags: tags.read,
  }
}

async function readKeyNames(
  pool: Pool,
  query: { walletId: Uuid; keyIds: readonly Uuid[] },
): Promise<Map<Uuid, string>> {
  // Revoked keys stay in the table, so their usage keeps its name.
  const text = 'SELECT id, name FROM api_keys WHERE id = ANY ($2::uuid[]) AND wallet_id = $1'
  const values = [query.walletId, query.keyIds]
  const { rows } = await pool.query<{ id: string; name: string }>({ name: 'read-key-names', text, values })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function readPeople(
  pool: Pool,
  { walletId, memberIds }: { walletId: Uuid; memberIds: readonly Uuid[] },
): Promise<Map<Uuid, MemberPerson>> {
  // An ended membership leaves no row. Its keys are revoked but kept, and identify their owner.
  const text = `SELECT p.id AS "memberId", u.id AS "userId", u.name, u.email
    FROM (SELECT m.id, m.user_id FROM members m JOIN wallets w ON w.owner_id = m.organization_id
          WHERE w.id = $1 AND w.owner_kind = 'organization' AND m.id = ANY ($2::uuid[])
          UNION
          SELECT k.member_id, k.user_id FROM api_keys k WHERE k.wallet_id = $1 AND k.member_id = ANY ($2::uuid[])) AS p
    JOIN users u ON u.id = p.user_id`
  const { rows } = await pool.query<MemberPerson>({ name: 'read-people', text, values: [walletId, memberIds] })
  return new Map(rows.map((person) => [person.memberId, person]))
}

async function readTeamNames(
  pool: Pool,
  { walletId, teamIds }: { walletId: Uuid; teamIds: readonly Uuid[] },
): Promise<Map<Uuid, string>> {
  const text = `SELECT t.id, t.name FROM teams t JOIN wallets w ON w.owner_id = t.organization_id
    WHERE w.id = $1 AND w.owner_kind = 'organization' AND t.id = ANY ($2::uuid[])`
  const values = [walletId, teamIds]
  const { rows } = await pool.query<{ id: string; name: string }>({ name: 'read-team-names', text, values })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function readWalletFacts(
  pool: Pool,
  walletId: Uuid,
): Promise<{ balance: NanoUsd; createdAtMs: number; hasTags: boolean }> {
  const text = `SELECT balance_nano, created_at,
      EXISTS (SELECT FROM wallet_tags t WHERE t.wallet_id = w.id) AS has_tags FROM wallets w WHERE id = $1`
  const { rows } = await pool.query<{ balance_nano: string; created_at: Date; has_tags: boolean }>({
    name: 'read-wallet-facts',
    text,
    values: [walletId],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`a principal references the wallet ${walletId}, which does not exist`)
  return { balance: readNano(row.balance_nano), createdAtMs: row.created_at.getTime(), hasTags: row.has_tags }
}
