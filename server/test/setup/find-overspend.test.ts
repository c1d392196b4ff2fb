import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { findOverspend } from './find-overspend.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())

const limit = parseUsd('20')
const change = async (text: string, ...values: unknown[]): Promise<void> => {
  expect((await world.pool.query(text, values)).rowCount).toBeGreaterThan(0)
}

/** The findings during a change; there must be none before and after it. */
async function foundWith(making: () => Promise<void>, undoing: () => Promise<void>): Promise<string[]> {
  expect(await findOverspend(world.pool)).toEqual([])
  await making()
  const found = await findOverspend(world.pool)
  await undoing()
  expect(await findOverspend(world.pool)).toEqual([])
  return found.map(({ what }) => what)
}

it('[I8] a wallet below its credit line by one nano-dollar is found', async () => {
  const { walletId } = await world.createClient({ usd: '1' })
  const add = (nano: bigint) => () =>
    change('UPDATE wallets SET balance_nano = balance_nano + $1 WHERE id = $2', nano, walletId)
  const found = await foundWith(add(-parseUsd('1') - 1n), add(parseUsd('1') + 1n))
  expect(found).toEqual(['no wallet has spent or promised more than it has'])
})

it.each([
  'key cap',
  'member budget',
  'team budget',
  'weekly budget',
  'monthly budget',
  'session quota',
  'person quota',
])('[I8] a %s that is exceeded by one nano-dollar is found, by the counter and by what is recorded', async (kind) => {
  const { owner, key, keyId } = await limited(kind)
  expect((await world.call({ key }, { max_tokens: 5 })).status).toBe(200)
  await world.settled()
  const { rows } = await world.pool.query<{ spent_nano: string }>(
    'SELECT spent_nano FROM spend_windows WHERE owner_id = $1 AND NOT is_breaker(kind)',
    [owner],
  )
  expect(rows).toHaveLength(1)
  const rest = limit - BigInt(rows[0]?.spent_nano ?? 0)
  const what = ['no key cap, budget, customer limit or session quota is exceeded']
  const count = (nano: bigint) => () =>
    change('UPDATE spend_windows SET spent_nano = spent_nano + $1 WHERE owner_id = $2', nano, owner)
  expect(await foundWith(count(rest + 1n), count(-rest - 1n))).toEqual(what)
  const record = (nano: bigint) => async () => {
    if (kind === 'session quota' || kind === 'person quota') {
      await change(
        'UPDATE generations SET cost_nano = cost_nano + $1, held_nano = held_nano + $1 WHERE session_id = $2',
        nano,
        owner,
      )
    } else if (kind === 'key cap') {
      await change('UPDATE key_usage_days SET spent_nano = spent_nano + $1 WHERE key_id = $2', nano, keyId)
    } else await change('UPDATE spend_days SET spent_nano = spent_nano + $1 WHERE owner_id = $2', nano, owner)
  }
  expect(await foundWith(record(rest + 1n), record(-rest - 1n))).toEqual(what)
})

it('[I8] a charge above its hold is found, and a loss that its hold covers', async () => {
  const caller = await world.createClient({ usd: '1' })
  await world.call(caller, { max_tokens: 5 })
  const { id, held_nano: held } = await world.lastRecord(caller)
  const set = (column: string, nano: bigint | string) => () =>
    change(`UPDATE generations SET ${column} = $1 WHERE id = $2`, nano, id)
  const { cost_nano: cost } = await world.lastRecord(caller)
  const above = await foundWith(set('held_nano', BigInt(cost) - 1n), set('held_nano', held))
  expect(above).toEqual(['no charge is above its hold'])
  const absorbed = await foundWith(set('absorbed_nano', 1n), set('absorbed_nano', 0n))
  expect(absorbed).toEqual(['the operator absorbs only what a hold does not cover'])
})

async function limited(kind: string): Promise<{ owner: string; key: string; keyId: string }> {
  const usd = '20'
  if (kind === 'key cap') {
    const { key, keyId } = await world.createClient({ usd: '25', terms: { limit, period: 'week' } })
    return { owner: keyId, key, keyId }
  }
  const { id } = await world.createOrganization()
  if (kind === 'session quota') {
    const { sessionId, token } = await world.addInstitutionSession(id)
    await change('UPDATE institution_sessions SET spend_quota_nano = $1 WHERE id = $2', limit, sessionId)
    return { owner: sessionId, key: token, keyId: '' }
  }
  if (kind === 'person quota') {
    // A session without a person counts as one.
    const { sessionId, institutionKeyId, token } = await world.addInstitutionSession(id)
    await change('UPDATE institution_keys SET person_month_quota_nano = $1 WHERE key_id = $2', limit, institutionKeyId)
    return { owner: sessionId, key: token, keyId: '' }
  }
  const { teamId } = await world.addTeam(id, kind === 'team budget' ? { monthlyBudgetUsd: usd } : {})
  const { memberId } = await world.addMember(id, {
    teamId,
    ...(kind === 'member budget' ? { monthlyBudgetUsd: usd } : {}),
  })
  if (kind === 'weekly budget')
    await change('UPDATE organizations SET weekly_budget_nano = $1 WHERE id = $2', limit, id)
  if (kind === 'monthly budget')
    await change('UPDATE organizations SET monthly_budget_nano = $1 WHERE id = $2', limit, id)
  const owner = { 'team budget': teamId, 'member budget': memberId }[kind] ?? id
  return { owner, ...(await world.addOrganizationKey(id, { memberId, teamId })) }
}
