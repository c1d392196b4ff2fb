import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { settleGenerations, settleWithin } from '#store/postgres/money/settle-generations.sql.ts'
import { purgeWindows, recountWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type CappedGroup, createCappedOrganizations, findExceeded, readCappedSums } from './capped-organizations.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'
import { settleEntry } from './settles.ts'

// No minute ends during a test.
const clock = createTestClock('2030-05-05T12:00:00Z')
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({}, clock)
})
afterAll(() => world.close())
afterEach(() => world.expectSoundBooks())

// Ten prompt tokens at 0.0000015 and a hundred completion tokens at 0.000012, as in `holds.test.ts`.
const unit = 10n * 1_500n + 100n * 12_000n
const { steps } = vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 10, completion: 5 } })
const code = (reply: Reply): string => `${reply.status} ${/"code":"?(\w+)/.exec(reply.text)?.[1] ?? 'none'}`

describe('parallel calls under every kind of limit at once', () => {
  it('[P1] [P2] [HOLD-14] exceed none of them, leave nothing held, and refuse nobody who fits', async () => {
    const unlimited = { WEIR_LIMITS_INFERENCE_FUNDED: '100000', WEIR_LIMITS_INFERENCE_LOW: '100000' }
    const second = await startSecondGateway(world, unlimited, clock)
    const { groups, scopes } = await createCappedOrganizations(world, world.pool, unit)
    world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'g' }, ...steps] })
    const callsEach = 16
    const fitting = groups.reduce((sum, group) => sum + group.fitting, 0)
    let answered = 0
    const calls = groups.flatMap((group) =>
      Array.from({ length: callsEach }, async (_, turn) => {
        const url = turn % 2 === 0 ? world.url : second.url
        const caller = group.callers[turn % group.callers.length] ?? { key: '' }
        const reply = await callChat({ url, key: caller.key }, { max_tokens: 100 })
        answered += 1
        return { group, code: code(reply) }
      }),
    )
    // All rejections arrive while the fitting ones are still being served.
    await expect.poll(() => answered).toBe(calls.length - fitting)
    await world.upstream.waitForRequests(fitting)
    expect(findExceeded(scopes, await readCappedSums(world.pool, scopes))).toEqual([])
    world.upstream.release('g')
    const seen = await Promise.all(calls)
    for (const group of groups) {
      const refused = { [group.refusal]: callsEach - group.fitting }
      expect(tally(seen, group), group.name).toEqual({ '200 none': group.fitting, ...refused })
    }
    expect(world.upstream.requests).toHaveLength(fitting)
    await world.settled()
    const after = await readCappedSums(world.pool, scopes)
    expect(after.filter(({ held, spent, recorded }) => held !== 0n || spent !== recorded)).toEqual([])
    for (const { callers } of groups) {
      for (const { key } of callers)
        expect((await callChat({ url: second.url, key }, { max_tokens: 100 })).status).toBe(200)
    }
    await second.close()
  })
})

function tally(seen: readonly { group: CappedGroup; code: string }[], group: CappedGroup): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of seen) if (each.group === group) counts[each.code] = (counts[each.code] ?? 0) + 1
  return counts
}

describe('what an organization spends', () => {
  it('[P2] is kept per day for the member, the team and the organization, once whatever is replayed', async () => {
    const payer = await newPayer()
    const days = ['2030-05-05T23:59:59.999Z', '2030-05-06T00:00:00Z', '2030-05-06T10:00:00Z'].map((day) =>
      Date.parse(day),
    )
    const entries = days.map((startedAtMs) =>
      settleEntry({ ...payer, id: newUuid(startedAtMs) }, parseUsd('1'), { startedAtMs }),
    )
    for (let turn = 0; turn < 3; turn += 1) await settleGenerations(world.pool, entries)
    const { rows } = await world.pool.query(
      `SELECT kind, day::text, spent_nano AS spent, requests FROM spend_days WHERE owner_id = ANY ($1::uuid[]) ORDER BY day, kind`,
      [[payer.organizationId, payer.teamId, payer.memberId]],
    )
    const kinds = ['member', 'organization', 'team']
    expect(rows).toEqual([
      ...kinds.map((kind) => ({ kind, day: '2030-05-05', spent: '1000000000', requests: '1' })),
      ...kinds.map((kind) => ({ kind, day: '2030-05-06', spent: '2000000000', requests: '2' })),
    ])
  })

  it('[P2] is not lost to a count that begins while it is being settled', async () => {
    const payer = await newPayer()
    const startsAtMs = Date.parse('2030-05-05T12:00:00Z')
    const window = { kind: 'member_hour', ownerId: payer.memberId, startsAtMs, limit: parseUsd('9') } as const
    const settle = (id: string) =>
      settleEntry({ ...payer, id }, parseUsd('1'), { startedAtMs: startsAtMs, windows: [window] })
    await settleGenerations(world.pool, [settle(newUuid(startsAtMs))])
    const settling = await world.pool.connect()
    await settling.query('BEGIN')
    await settleWithin(settling, settle(newUuid(startsAtMs)))
    const counting = recountWindows(world.pool, { kinds: ['member_hour'], ownerId: payer.memberId })
    await expect.poll(() => waitingForLocks()).toBe(1)
    await settling.query('COMMIT')
    settling.release()
    await counting
    const { rows } = await world.pool.query('SELECT spent_nano AS spent FROM spend_windows WHERE owner_id = $1', [
      payer.memberId,
    ])
    expect(rows).toEqual([{ spent: '2000000000' }])
  })

  it('[P20] leaves no window of a minute or an hour behind for long, and comes out the same if one is needed again', async () => {
    const payer = await newPayer()
    const long = Date.parse('2020-02-02T10:00:00Z')
    const windows = [
      { kind: 'member_minute', ownerId: payer.memberId, startsAtMs: long, limit: parseUsd('9') },
      { kind: 'team_hour', ownerId: payer.teamId, startsAtMs: long, limit: parseUsd('9') },
      { kind: 'team_month', ownerId: payer.teamId, startsAtMs: Date.parse('2020-02-01'), limit: parseUsd('9') },
      { kind: 'organization_hour', ownerId: payer.organizationId, startsAtMs: Date.now(), limit: parseUsd('9') },
    ]
    const settle = () => settleEntry({ ...payer, id: newUuid(long) }, parseUsd('1'), { startedAtMs: long, windows })
    await settleGenerations(world.pool, [settle()])
    expect(await purgeWindows(world.pool, 500)).toBe(2)
    expect(await purgeWindows(world.pool, 500)).toBe(0)
    await settleGenerations(world.pool, [settle()])
    const { rows } = await world.pool.query<{ kind: string; spent: string }>(
      'SELECT kind, spent_nano AS spent FROM spend_windows WHERE owner_id = ANY ($1::uuid[]) ORDER BY kind',
      [[payer.memberId, payer.teamId]],
    )
    expect(rows).toEqual(['member_minute', 'team_hour', 'team_month'].map((kind) => ({ kind, spent: '2000000000' })))
    await world.pool.query("UPDATE spend_windows SET held_nano = 1 WHERE kind = 'team_hour' AND owner_id = $1", [
      payer.teamId,
    ])
    expect(await purgeWindows(world.pool, 500)).toBe(1)
    await world.pool.query('UPDATE spend_windows SET held_nano = 0 WHERE owner_id = $1', [payer.teamId])
  })

  it("adds to the tokens of an institution's session", async () => {
    const payer = await newPayer()
    const sessionId = newUuid(Date.now())
    await world.pool.query(
      `INSERT INTO institution_sessions (id, key_id, email, token_hash, expires_at) VALUES ($1, $2, 'a@b.edu', $3, now())`,
      [sessionId, payer.keyId, Buffer.from(sessionId)],
    )
    const entries = [1, 2, 3].map((turn) => {
      const entry = settleEntry({ ...payer, sessionId, id: newUuid(Date.now()) }, nanoUsd(BigInt(turn)))
      const usage = { ...entry.record.usage, uncachedInput: 10, cacheRead: 5, textOutput: turn, reasoningOutput: 100 }
      return { ...entry, record: { ...entry.record, usage } }
    })
    for (let turn = 0; turn < 2; turn += 1) await settleGenerations(world.pool, entries)
    const { rows } = await world.pool.query('SELECT tokens_used FROM institution_sessions WHERE id = $1', [sessionId])
    expect(rows).toEqual([{ tokens_used: String(3 * 115 + 6) }])
    const records = await world.pool.query('SELECT id FROM generations WHERE session_id = $1', [sessionId])
    expect(records.rows).toHaveLength(3)
  })
})

async function waitingForLocks(): Promise<number> {
  const { rows } = await world.pool.query<{ waiting: number }>(
    "SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  )
  return rows[0]?.waiting ?? 0
}

async function newPayer() {
  const { id: organizationId, walletId } = await world.createOrganization()
  const { teamId } = await world.addTeam(organizationId)
  const { memberId, userId } = await world.addMember(organizationId, { teamId })
  const { keyId } = await world.addOrganizationKey(organizationId, { memberId })
  return { organizationId, walletId, teamId, memberId, userId, keyId }
}
