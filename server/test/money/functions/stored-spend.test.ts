import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import { firstUuidAt, newUuid } from '#lib/uuid.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { recountWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { settleEntry } from '../settles.ts'
import { type MoneyStore, nano, openMoneyStore } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
// A Monday and the first of a month, so that a week and a month start with it.
const monday = Date.UTC(2030, 3, 1)

async function storedSpend(kind: string, owner: string, startsAtMs: number): Promise<number> {
  const { rows } = await store.pool.query<{ spent: string }>('SELECT stored_spend($1, $2, $3) AS spent', [
    kind,
    owner,
    startsAtMs,
  ])
  return Number(rows[0]?.spent)
}

/** A member of a team, and two others who share the team or the organization. */
async function createPeople() {
  const organization = await store.accounts.createOrganization({ usd: '0.900000000' })
  const { teamId } = await store.accounts.addTeam(organization.id)
  const { teamId: otherTeamId } = await store.accounts.addTeam(organization.id)
  const payerIn = async (team: string) => {
    const { memberId, userId } = await store.accounts.addMember(organization.id, { teamId: team })
    const keyId = newUuid(Date.now())
    return { organizationId: organization.id, walletId: organization.walletId, memberId, teamId: team, userId, keyId }
  }
  return {
    organization,
    teamId,
    me: await payerIn(teamId),
    mate: await payerIn(teamId),
    other: await payerIn(otherTeamId),
  }
}

type Payer = Awaited<ReturnType<typeof createPeople>>['me']

async function settleAt(payer: Payer, startedAtMs: number, cost: number, id = newUuid(startedAtMs)): Promise<void> {
  const entry = settleEntry({ ...payer, id }, nano(cost), { startedAtMs })
  expect(await settleGenerations(store.pool, [entry])).toEqual([{ cost: BigInt(cost), absorbed: 0n }])
}

describe('what was spent before a window is first counted', () => {
  // Each cost is a different digit, so that a sum shows its parts.
  it.each([
    ['day', day],
    ['week', 7 * day],
    ['month', 30 * day],
  ])('is all of its %s and nothing beyond', async (length, lengthMs) => {
    const { me, mate, teamId, organization } = await createPeople()
    const moments = [monday - 1, monday, monday + lengthMs - 1, monday + lengthMs]
    for (const [at, moment] of moments.entries()) await settleAt(me, moment, 10 ** at)
    await settleAt(mate, monday, 10_000)
    expect(await storedSpend(`key_${length}`, me.keyId, monday)).toBe(110)
    expect(await storedSpend(`member_${length}`, me.memberId, monday)).toBe(110)
    expect(await storedSpend(`team_${length}`, teamId, monday)).toBe(10_110)
    expect(await storedSpend(`organization_${length}`, organization.id, monday)).toBe(10_110)
  })

  it('is everything for the life of a key', async () => {
    const { me, mate } = await createPeople()
    for (const [at, moment] of [monday - 400 * day, monday].entries()) await settleAt(me, moment, 10 ** at)
    await settleAt(mate, monday, 100)
    expect(await storedSpend('key_life', me.keyId, 0)).toBe(11)
  })

  it.each([
    ['minute', minute],
    ['hour', hour],
  ])('is all of its %s and nothing beyond', async (length, lengthMs) => {
    const { me, mate, other, teamId, organization } = await createPeople()
    const start = monday + 5 * hour + lengthMs
    const moments = [start - 1, start, start + lengthMs - 1, start + lengthMs]
    for (const [at, moment] of moments.entries()) await settleAt(me, moment, 10 ** at, firstUuidAt(moment))
    await settleAt(mate, start, 10_000)
    await settleAt(other, start, 100_000)
    expect(await storedSpend(`user_${length}`, me.userId, start)).toBe(110)
    expect(await storedSpend(`member_${length}`, me.memberId, start)).toBe(110)
    expect(await storedSpend(`team_${length}`, teamId, start)).toBe(10_110)
    expect(await storedSpend(`organization_${length}`, organization.id, start)).toBe(110_110)
  })

  it('is seen in the minute that the last request came in, and in none after it', async () => {
    const { me } = await createPeople()
    const start = monday + 5 * hour
    await settleAt(me, start, 7)
    expect(await storedSpend('member_minute', me.memberId, start)).toBe(7)
    expect(await storedSpend('member_minute', me.memberId, start - minute)).toBe(0)
    expect(await storedSpend('member_minute', me.memberId, start + minute)).toBe(0)
    // Other days of the same member do not matter.
    await settleAt(me, start + day, 1)
    expect(await storedSpend('member_minute', me.memberId, start + minute)).toBe(0)
  })

  it('is seen in a week that began without any', async () => {
    const { me } = await createPeople()
    await settleAt(me, monday + 2 * day, 7)
    expect(await storedSpend('member_week', me.memberId, monday)).toBe(7)
    expect(await storedSpend('member_day', me.memberId, monday)).toBe(0)
  })

  it.each(['key_day', 'user_minute', 'member_month', 'team_hour', 'organization_week'])(
    'is nothing in a %s without any',
    async (kind) => {
      expect(await storedSpend(kind, newUuid(monday), monday)).toBe(0)
    },
  )

  it('is all of the month over every session of a person, and nothing of another month or person', async () => {
    const { organization } = await createPeople()
    const { institutionKeyId: keyId, sessionId } = await store.accounts.addInstitutionSession(organization.id)
    const { sessionId: second } = await store.accounts.addInstitutionSession(organization.id)
    const { sessionId: other } = await store.accounts.addInstitutionSession(organization.id)
    const person = newUuid(monday)
    await store.pool.query('UPDATE institution_sessions SET person_id = $1 WHERE id = ANY ($2)', [
      person,
      [sessionId, second],
    ])
    const payer = { organizationId: organization.id, walletId: organization.walletId, keyId, userId: null }
    const settle = async (session: string, startedAtMs: number, cost: number) => {
      const entry = settleEntry({ ...payer, id: newUuid(startedAtMs), sessionId: session }, nano(cost), { startedAtMs })
      expect(await settleGenerations(store.pool, [entry])).toEqual([{ cost: BigInt(cost), absorbed: 0n }])
    }
    await settle(sessionId, monday - 1, 1)
    await settle(sessionId, monday, 10)
    await settle(second, monday + 30 * day - 1, 100)
    await settle(second, monday + 30 * day, 1_000)
    await settle(other, monday, 10_000)
    expect(await storedSpend('person_month', person, monday)).toBe(110)
    expect(await storedSpend('person_month', other, monday)).toBe(10_000)
    expect(await storedSpend('person_month', sessionId, monday)).toBe(0)
  })

  it('is nothing for the quota of a session', async () => {
    const { me } = await createPeople()
    await settleAt(me, monday, 7)
    expect(await storedSpend('session_life', me.memberId, 0)).toBe(0)
  })
})

async function openWindow(kind: string, owner: string, startsAtMs: number): Promise<void> {
  await store.pool.query(
    'INSERT INTO spend_windows (kind, owner_id, starts_at, spent_nano, held_nano) VALUES ($1, $2, $3, 555, 4)',
    [kind, owner, startsAtMs],
  )
}

async function sumsOf(owner: string): Promise<Record<string, string>> {
  const { rows } = await store.pool.query<{ name: string; sums: string }>(
    `SELECT kind || ' ' || starts_at AS name, spent_nano || ' ' || held_nano AS sums FROM spend_windows WHERE owner_id = $1`,
    [owner],
  )
  return Object.fromEntries(rows.map(({ name, sums }) => [name, sums]))
}

describe('counting anew', () => {
  it('sets what is open to what was settled, and leaves what is over, what is held, and others alone', async () => {
    const { me, mate } = await createPeople()
    const today = Math.floor(Date.now() / day) * day
    // The closed window started long enough ago for any length of a month.
    const [open, over] = [today + day, today - 40 * day]
    for (const kind of ['member_month', 'member_minute', 'member_hour']) {
      await openWindow(kind, me.memberId, open)
      await openWindow(kind, me.memberId, over)
    }
    await openWindow('member_month', mate.memberId, open)
    const kinds: ScopeKind[] = ['member_month', 'member_minute']
    await recountWindows(store.pool, { kinds, ownerId: me.memberId })
    expect(await sumsOf(me.memberId)).toEqual({
      [`member_month ${open}`]: '0 4',
      [`member_minute ${open}`]: '0 4',
      [`member_hour ${open}`]: '555 4',
      [`member_month ${over}`]: '555 4',
      [`member_minute ${over}`]: '555 4',
      [`member_hour ${over}`]: '555 4',
    })
    expect(await sumsOf(mate.memberId)).toEqual({ [`member_month ${open}`]: '555 4' })
  })

  it('knows a window over a whole life as open', async () => {
    const { me } = await createPeople()
    await settleAt(me, monday, 9)
    await openWindow('key_life', me.keyId, 0)
    await recountWindows(store.pool, { kinds: ['key_life'], ownerId: me.keyId })
    expect(await sumsOf(me.keyId)).toEqual({ 'key_life 0': '9 4' })
  })
})
