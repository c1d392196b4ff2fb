import type { Pool } from 'pg'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { TestAccounts } from '#test/setup/accounts.ts'

/**
 * Organizations where every scope has a limit. Each group of clients meets exactly one tight limit, and the number of
 * fitting requests does not depend on their order: keys are within members, members within teams, teams within
 * organizations, and all requests cost the same.
 */
export interface CappedGroup {
  readonly name: string
  readonly callers: readonly { key: string }[]
  /** The number of requests that fit, whichever client sends them. */
  readonly fitting: number
  /** The status and code of all other requests. */
  readonly refusal: string
}

interface CappedScope {
  readonly kind: string
  readonly ownerId: string
  readonly limit: bigint
}

interface CappedOrganizations {
  readonly groups: readonly CappedGroup[]
  /** All limits, tight or not. */
  readonly scopes: readonly CappedScope[]
}

const budget = '402 budget_cap_reached'
const breaker = '429 429'

/** Limits are multiples of the hold of one request. */
export async function createCappedOrganizations(
  accounts: TestAccounts,
  pool: Pool,
  unit: bigint,
): Promise<CappedOrganizations> {
  const builder = createBuilder(accounts, pool, unit)
  const inner = await builder.organization()
  const groups = [
    await keyGroup(builder, inner),
    ...(await memberGroups(builder, inner)),
    ...(await teamGroups(builder, inner)),
    await nestedGroup(builder, inner),
    ...(await organizationGroups(builder)),
    await walletGroup(builder),
  ]
  return { groups, scopes: builder.scopes }
}

async function keyGroup({ team, key, accounts }: Builder, organizationId: string): Promise<CappedGroup> {
  const { memberId } = await accounts.addMember(organizationId, { teamId: await team(organizationId) })
  const callers = [await key(organizationId, memberId, 3)]
  return { name: 'key', callers, fitting: 3, refusal: '402 spend_limit_exceeded' }
}

async function memberGroups({ team, member }: Builder, organizationId: string): Promise<CappedGroup[]> {
  const teamId = await team(organizationId)
  return [
    { name: 'member month', callers: await member(teamId, { month: 4 }), fitting: 4, refusal: budget },
    { name: 'member minute', callers: await member(teamId, { minute: 5 }), fitting: 5, refusal: breaker },
    { name: 'member hour', callers: await member(teamId, { hour: 3 }), fitting: 3, refusal: breaker },
  ]
}

async function teamGroups({ team, member }: Builder, organizationId: string): Promise<CappedGroup[]> {
  const people = async (limits: Limits): Promise<{ key: string }[]> => {
    const teamId = await team(organizationId, limits)
    return [await member(teamId), await member(teamId)].flat()
  }
  return [
    { name: 'team month', callers: await people({ month: 6 }), fitting: 6, refusal: budget },
    { name: 'team minute', callers: await people({ minute: 4 }), fitting: 4, refusal: breaker },
    { name: 'team hour', callers: await people({ hour: 5 }), fitting: 5, refusal: breaker },
  ]
}

/** Two nested limits: the members' four each would be eight. */
async function nestedGroup({ team, member }: Builder, organizationId: string): Promise<CappedGroup> {
  const teamId = await team(organizationId, { month: 6 })
  const callers = [await member(teamId, { month: 4 }), await member(teamId, { month: 4 })].flat()
  return { name: 'nested', callers, fitting: 6, refusal: budget }
}

async function organizationGroups(builder: Builder): Promise<CappedGroup[]> {
  const staffOf = async (limits: Limits): Promise<{ key: string }[]> =>
    staff(builder, await builder.organization(limits))
  return [
    { name: 'organization month', callers: await staffOf({ month: 7 }), fitting: 7, refusal: budget },
    { name: 'organization week', callers: await staffOf({ week: 5 }), fitting: 5, refusal: budget },
    { name: 'organization minute', callers: await staffOf({ minute: 6 }), fitting: 6, refusal: breaker },
    { name: 'organization hour', callers: await staffOf({ hour: 4 }), fitting: 4, refusal: breaker },
  ]
}

async function walletGroup(builder: Builder): Promise<CappedGroup> {
  const callers = await staff(builder, await builder.organization({}, 8))
  return { name: 'wallet', callers, fitting: 8, refusal: '402 insufficient_credits' }
}

async function staff({ team, member }: Builder, organizationId: string): Promise<{ key: string }[]> {
  const teams = [await team(organizationId), await team(organizationId)]
  return (await Promise.all(teams.map((teamId) => member(teamId)))).flat()
}

type Limits = Partial<Record<'minute' | 'hour' | 'week' | 'month', number>>
type Builder = ReturnType<typeof createBuilder>

// A limit that is not tight.
const roomy = 10_000

function createBuilder(accounts: TestAccounts, pool: Pool, unit: bigint) {
  const scopes: CappedScope[] = []
  const homes = new Map<string, string>()
  const times = (count: number): bigint => unit * BigInt(count)
  // With one more nano-dollar, one more request would fit.
  const almost = (count: number): bigint => times(count + 1) - 1n

  async function limit(kind: 'organization' | 'team' | 'member', id: string, limits: Limits): Promise<void> {
    const { minute = roomy, hour = roomy, week = roomy, month = roomy } = limits
    const limitOf = { minute: times(minute), hour: times(hour), week: almost(week), month: times(month) }
    for (const [window, nano] of Object.entries(limitOf)) {
      if (window === 'week' && kind !== 'organization') continue
      scopes.push({ kind: `${kind}_${window}`, ownerId: id, limit: nano })
    }
    const columns = 'breaker_enabled = true, breaker_minute_nano = $2, breaker_hour_nano = $3, monthly_budget_nano = $4'
    await pool.query(`UPDATE ${kind}s SET ${columns} WHERE id = $1`, [id, limitOf.minute, limitOf.hour, limitOf.month])
    if (kind !== 'organization') return
    await pool.query('UPDATE organizations SET weekly_budget_nano = $2 WHERE id = $1', [id, limitOf.week])
  }

  async function key(organizationId: string, memberId: string, count: number): Promise<{ key: string }> {
    const terms = { limit: nanoUsd(times(count)), period: 'day' } as const
    const made = await accounts.addOrganizationKey(organizationId, { memberId, terms })
    scopes.push({ kind: 'key_day', ownerId: made.keyId, limit: times(count) })
    return made
  }

  return {
    accounts,
    scopes,
    key,
    organization: async (limits: Limits = {}, funds = roomy): Promise<string> => {
      const { id } = await accounts.createOrganization({ usd: formatUsd(nanoUsd(times(funds))) })
      await limit('organization', id, limits)
      return id
    },
    team: async (organizationId: string, limits: Limits = {}): Promise<string> => {
      const { teamId } = await accounts.addTeam(organizationId)
      homes.set(teamId, organizationId)
      await limit('team', teamId, limits)
      return teamId
    },
    /** A member with two keys. */
    member: async (teamId: string, limits: Limits = {}): Promise<{ key: string }[]> => {
      const organizationId = homes.get(teamId) ?? ''
      const { memberId } = await accounts.addMember(organizationId, { teamId })
      await limit('member', memberId, limits)
      return [await key(organizationId, memberId, roomy), await key(organizationId, memberId, roomy)]
    },
  }
}

interface ScopeSums {
  kind: string
  ownerId: string
  held: bigint
  spent: bigint
  /** The sum of the records. */
  recorded: bigint
}

const sumsText = `SELECT s.kind, s.owner_id AS "ownerId", s.held_nano AS held, s.spent_nano AS spent,
    (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g WHERE s.owner_id = CASE split_part(s.kind, '_', 1)
      WHEN 'key' THEN g.key_id WHEN 'member' THEN g.member_id WHEN 'team' THEN g.team_id ELSE g.organization_id END
      AND g.started_at >= to_timestamp(s.starts_at / 1000.0)) AS recorded
  FROM spend_windows s WHERE s.owner_id = ANY ($1::uuid[])`

/** The held and spent sums of each limited scope, in open and past windows. */
export async function readCappedSums(pool: Pool, scopes: readonly CappedScope[]): Promise<ScopeSums[]> {
  const { rows } = await pool.query<Record<'kind' | 'ownerId' | 'held' | 'spent' | 'recorded', string>>(sumsText, [
    scopes.map(({ ownerId }) => ownerId),
  ])
  return rows.map(({ kind, ownerId, held, spent, recorded }) => ({
    kind,
    ownerId,
    held: BigInt(held),
    spent: BigInt(spent),
    recorded: BigInt(recorded),
  }))
}

/** Scopes beyond their limit, even by a nano-dollar; only an empty array is good. */
export function findExceeded(scopes: readonly CappedScope[], sums: readonly ScopeSums[]): ScopeSums[] {
  const limits = new Map(scopes.map(({ kind, ownerId, limit }) => [`${kind} ${ownerId}`, limit]))
  return sums.filter(({ kind, ownerId, held, spent }) => held + spent > (limits.get(`${kind} ${ownerId}`) ?? 0n))
}
