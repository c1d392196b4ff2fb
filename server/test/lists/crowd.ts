import type { Pool, PoolClient } from 'pg'
import { dayMs } from '#test/setup/day.ts'

/** The number of rows of each kind. */
interface CrowdSize {
  readonly keys: number
  readonly members: number
  readonly teams: number
  readonly generations: number
  readonly videos: number
}

const kinds = ['organization', 'wallet', 'team', 'user', 'member', 'key', 'customer'] as const
type Kind = (typeof kinds)[number]
const prefixOf = (kind: Kind): string => `0000000${kinds.indexOf(kind) + 1}-0000-4000-8000-`

/**
 * The id of a row by its number, in SQL and here. It is not derived from a hash such as md5, which would take half of
 * the time.
 */
const numbered = (kind: Kind, number: string): string =>
  `('${prefixOf(kind)}' || lpad(to_hex(${number}), 12, '0'))::uuid`
const idOf = (kind: Kind, number = 1): string => `${prefixOf(kind)}${number.toString(16).padStart(12, '0')}`

/** The organization, its wallet, a team with half of its people, and one member in a team of ten. */
export const crowd = {
  organizationId: idOf('organization'),
  walletId: idOf('wallet'),
  teamId: idOf('team'),
  bigTeamId: idOf('team', 2),
  memberId: idOf('member'),
  userId: idOf('user'),
  keyId: idOf('key'),
  customerId: idOf('customer'),
} as const

/**
 * Fills one organization with more of everything than a page could show. Its requests are spread evenly over the last
 * 32 days; one in a thousand of the requests, videos and webhook deliveries belongs to a single member. One in a
 * thousand transfers is a grant, and as many are of one customer.
 */
export async function gatherCrowd(pool: Pool, size: CrowdSize): Promise<void> {
  const client = await pool.connect()
  try {
    // The references between the rows are valid; checking each would double the time.
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    for (const text of [...peopleOf(size), ...trafficOf(size), ...videosOf(size)]) await client.query(text)
    await client.query('COMMIT')
    await analyze(client)
  } finally {
    client.release()
  }
}

/** It locks the parts of a table together, so it may wait in a circle with a worker. Postgres then ends one of them. */
async function analyze(client: PoolClient): Promise<void> {
  try {
    await client.query('ANALYZE')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '40P01')) throw error
    await analyze(client)
  }
}

const { organizationId, walletId } = crowd
const nowMs = Date.now()
const today = `(now() AT TIME ZONE 'UTC')::date`

function peopleOf({ keys, members, teams }: CrowdSize): string[] {
  // Ten are in the first team, half of all in the second, the rest in the others by turns.
  const team = `CASE WHEN n <= 10 THEN 1 WHEN n % 2 = 0 THEN 2 ELSE 3 + n % ${teams - 2} END`
  const owner = `(1 + (n - 1) % ${members})`
  return [
    `INSERT INTO organizations (id, name, slug) VALUES ('${organizationId}', 'Crowd', 'crowd')`,
    `INSERT INTO wallets (id, owner_kind, owner_id, created_at)
      VALUES ('${walletId}', 'organization', '${organizationId}', now() - interval '1 year')`,
    `INSERT INTO teams (id, organization_id, name, created_at)
      SELECT ${numbered('team', 'n')}, '${organizationId}', 'team ' || n, now() - n * interval '1 minute' FROM generate_series(1, ${teams}) AS n`,
    `INSERT INTO users (id, email, name)
      SELECT ${numbered('user', 'n')}, 'crowd' || n || '@example.com', 'Person ' || n FROM generate_series(1, ${members}) AS n`,
    `INSERT INTO members (id, organization_id, user_id, team_id, role, joined_at)
      SELECT ${numbered('member', 'n')}, '${organizationId}', ${numbered('user', 'n')}, ${numbered('team', `(${team})`)}, 'member',
        now() - n * interval '1 minute' FROM generate_series(1, ${members}) AS n`,
    `INSERT INTO invitations (id, organization_id, token_hash, email, role, team_id, uses_max, invited_by, created_at, sent_at, expires_at)
      SELECT gen_random_uuid(), '${organizationId}', sha256(n::text::bytea), 'guest' || n || '@example.com', 'member',
        ${numbered('team', `(${team})`)}, 1, ${numbered('user', 'n')}, now() - n * interval '1 minute', now(), now() + interval '7 days'
      FROM generate_series(1, ${members}) AS n`,
    `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, organization_id, member_id, wallet_id, created_at)
      SELECT ${numbered('key', 'n')}, sha256(n::text::bytea), 'sk-weir-', 'abcd', 'key ' || n, 'standard', ${numbered('user', owner)},
        '${organizationId}', ${numbered('member', owner)}, '${walletId}', now() - n * interval '1 minute'
      FROM generate_series(1, ${keys}) AS n`,
    // A directory knows all but every tenth member.
    `INSERT INTO scim_users (member_id, organization_id, user_name, external_id, email, created_account)
      SELECT ${numbered('member', 'n')}, '${organizationId}', 'crowd' || n || '@example.com', 'e-' || n, 'crowd' || n || '@example.com', true
      FROM generate_series(1, ${members}) AS n WHERE n % 10 <> 0`,
    // A day of usage for each key and of spend for every other member, so that the test notices if more than a page is
    // summed.
    `INSERT INTO key_usage_days (key_id, day, spent_nano, requests) SELECT id, ${today}, 1000, 1 FROM api_keys`,
    `INSERT INTO spend_days (kind, owner_id, day, spent_nano, requests, last_at)
      SELECT 'member', ${numbered('member', 'n')}, ${today}, 1000, 1, now() FROM generate_series(1, ${members}, 2) AS n
      UNION ALL SELECT 'team', id, ${today}, 1000, 1, now() FROM teams`,
  ]
}

/** The time and id of number n. Counted down, because an index that grows at its end is written faster. */
const numbers = (count: number): string => `generate_series(${count}, 1, -1) AS n`
const msOf = (count: number): string => `(${nowMs} - n * ${Math.floor((32 * dayMs) / count)}::bigint)`
const momentOf = (count: number): string => `to_timestamp(${msOf(count)} / 1000.0::float8)`
const timedIdOf = (count: number): string =>
  `(lpad(to_hex(${msOf(count)}), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
/** A thousand people take turns. */
const who = '(1 + n % 1000)'

function trafficOf({ generations: count }: CrowdSize): string[] {
  const isGrant = 'n % 1000 = 0'
  return [
    `SELECT ensure_partitions(${today} - 33, 35)`,
    `INSERT INTO generations (id, wallet_id, key_id, user_id, organization_id, member_id, endpoint, model, provider, streamed, cancelled,
        is_failover, started_at, duration_ms, uncached_input, text_output, cost_nano, settled_position)
      SELECT ${timedIdOf(count)}, '${walletId}', ${numbered('key', who)}, ${numbered('user', who)}, '${organizationId}', ${numbered('member', who)},
        'chat', 'acme/model-' || n % 5, 'acme', false, false, false, ${momentOf(count)}, 900, 100, 20, 1000, 1
      FROM ${numbers(count)}`,
    `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano, created_at)
      SELECT ${timedIdOf(count)}, 0, '${walletId}', CASE WHEN ${isGrant} THEN 'grant' ELSE 'charge' END,
        CASE WHEN ${isGrant} THEN 'grants' ELSE 'wallet' END, CASE WHEN ${isGrant} THEN 'wallet' ELSE 'usage' END, 1000, 1, ${momentOf(count)}
      FROM ${numbers(count)}`,
    `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano, created_at, end_customer_id)
      SELECT ${timedIdOf(count)}, 1, '${walletId}', CASE WHEN n % 500 = 0 THEN 'customer_transfer' ELSE 'charge' END, 'wallet', 'customers',
        1000, 1, ${momentOf(count)}, CASE WHEN n % 20 = 0 AND n % 1000 < 500 THEN '${crowd.customerId}'::uuid ELSE gen_random_uuid() END
      FROM ${numbers(count)} WHERE n % 10 = 0`,
    `INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until)
      SELECT ${timedIdOf(count)}, '${walletId}', ${numbered('key', who)}, 1, 1, now() + interval '1 hour' FROM generate_series(${count} / 10, 1, -1) AS n`,
  ]
}

function videosOf({ videos: count }: CrowdSize): string[] {
  const hasFailed = 'n % 1000 = 0'
  return [
    `INSERT INTO video_jobs (id, wallet_id, model, candidates, asker, held_nano, windows, progress, state, own_url, created_at, deadline_at, completed_at)
      SELECT ${timedIdOf(count)}, '${walletId}', 'acme/video-' || n % 5, '[]',
        jsonb_build_object('memberId', ${numbered('member', who)}, 'keyId', ${numbered('key', who)}), 0, '[]',
        jsonb_build_object('status', CASE WHEN ${hasFailed} THEN 'failed' ELSE 'completed' END), CASE WHEN ${hasFailed} THEN 'failed' ELSE 'completed' END,
        'https://weir.test', ${momentOf(count)}, now(), ${momentOf(count)}
      FROM ${numbers(count)}`,
    `INSERT INTO webhook_deliveries (id, job_id, wallet_id, url, body, attempts, created_at, due_at, delivered_at, last_status)
      SELECT ${timedIdOf(count)}, ${timedIdOf(count)}, '${walletId}', 'https://example.com/hook', '{}', 1, ${momentOf(count)}, NULL,
        CASE WHEN NOT ${hasFailed} THEN ${momentOf(count)} END, CASE WHEN ${hasFailed} THEN 500 ELSE 200 END
      FROM ${numbers(count)}`,
  ]
}
