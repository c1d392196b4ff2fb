import type { Pool } from 'pg'

/** A third of all requests belong to this organization. */
const organizationSize = { keys: 300, members: 300, teams: 20 }
const walletCount = 2_000
const keysOfOthers = 3

/**
 * Creates the clients: wallet 0 is the organization's, the others are personal. It also writes the rows that pages read
 * names from. They have no money, because no measured statement reads it.
 */
export async function createBenchCallers(pool: Pool, { days }: { days: number }): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(`SELECT to_regclass('bench_loads') IS NOT NULL AS is_there`)
  if (rows[0]?.is_there === true) return
  for (const statement of statementsFor(days)) await pool.query(statement)
}

const { keys, members, teams } = organizationSize

function statementsFor(days: number): string[] {
  const began = `date_trunc('day', now(), 'UTC') - interval '${days} days'`
  return [
    `CREATE TABLE bench_callers AS
    SELECT w, k, md5('wallet' || w)::uuid AS wallet_id, md5('key' || w || '.' || k)::uuid AS key_id,
      md5('user' || CASE WHEN w = 0 THEN 'm' || k % ${members} ELSE w::text END)::uuid AS user_id,
      CASE WHEN w = 0 THEN md5('organization')::uuid END AS organization_id,
      CASE WHEN w = 0 THEN md5('member' || k % ${members})::uuid END AS member_id,
      CASE WHEN w = 0 THEN md5('team' || k % ${teams})::uuid END AS team_id
    FROM generate_series(0, ${walletCount - 1}) AS w,
      LATERAL generate_series(0, CASE WHEN w = 0 THEN ${keys - 1} ELSE ${keysOfOthers - 1} END) AS k`,
    `INSERT INTO users (id, email, name) SELECT DISTINCT user_id, user_id || '@example.com', 'Person' FROM bench_callers`,
    `INSERT INTO organizations (id, name, slug) SELECT DISTINCT organization_id, 'Bench', 'bench' FROM bench_callers WHERE w = 0`,
    `INSERT INTO teams (id, organization_id, name, created_at)
    SELECT DISTINCT team_id, organization_id, team_id::text, ${began} FROM bench_callers WHERE w = 0`,
    `INSERT INTO members (id, organization_id, user_id, team_id, role, joined_at)
    SELECT DISTINCT ON (member_id) member_id, organization_id, user_id, team_id, 'member', ${began} FROM bench_callers WHERE w = 0`,
    // The first day of the longest period.
    `INSERT INTO wallets (id, owner_kind, owner_id, created_at)
    SELECT DISTINCT wallet_id, CASE WHEN w = 0 THEN 'organization' ELSE 'user' END, coalesce(organization_id, user_id), ${began}
    FROM bench_callers`,
    `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, organization_id, member_id, team_id, wallet_id)
    SELECT key_id, decode(md5(key_id::text), 'hex'), 'sk', 'end', 'key ' || k, 'standard', user_id, organization_id, member_id, team_id, wallet_id
    FROM bench_callers`,
    'ANALYZE bench_callers',
    // The days to fill: up to yesterday, at the time of the start.
    `CREATE TABLE bench_days AS SELECT (now() AT TIME ZONE 'UTC')::date - n AS day FROM generate_series(1, ${days}) AS n`,
    'SELECT ensure_partitions(min(day), count(*)::integer) FROM bench_days',
    'CREATE TABLE bench_loads (stage integer, day date, rows bigint, PRIMARY KEY (stage, day))',
  ]
}
