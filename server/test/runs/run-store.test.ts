import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { newUuid } from '#lib/uuid.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { createRuns } from '#store/postgres/runs/postgres-runs.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

const nowMs = Date.now()

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const storeOf = (runsMax = 1_000) => createRuns(database.pool, { nowMs: () => nowMs, runsMax })
const run = (id: string, parent: string | null = null) => ({ id, parent, budget: null, rules: null })

async function newOwner() {
  const [userId, walletId] = [newUuid(nowMs), newUuid(nowMs)]
  await database.pool.query('INSERT INTO users (id, email, name) VALUES ($1::uuid, $1 || $2, $2)', [
    userId,
    '@example.com',
  ])
  await database.pool.query(`INSERT INTO wallets (id, owner_kind, owner_id) VALUES ($1, 'user', $2)`, [
    walletId,
    userId,
  ])
  return { userId, walletId, scope: { account: { kind: 'user', userId }, keyId: null } as const }
}

async function countsOf(walletId: string): Promise<{ counted: string; stored: string }> {
  const { rows } = await database.pool.query<{ counted: string; stored: string }>(
    `SELECT (SELECT runs FROM run_counts WHERE wallet_id = $1) AS counted,
       (SELECT count(*) FROM runs WHERE wallet_id = $1) AS stored`,
    [walletId],
  )
  return rows[0] ?? { counted: '', stored: '' }
}

describe('creating runs', () => {
  it('[NEXT-48] counts each once, even if several processes create it at the same time', async () => {
    const { walletId } = await newOwner()
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => storeOf().create(walletId, run(`r${at % 4}`), null)),
    )
    expect(made.filter((creation) => creation === 'created')).toHaveLength(4)
    expect(await countsOf(walletId)).toEqual({ counted: '4', stored: '4' })
  })

  it('[NEXT-48] never exceeds the maximum of a wallet, and knows the others', async () => {
    const { walletId } = await newOwner()
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => storeOf(5).create(walletId, run(`r${at}`), null)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await countsOf(walletId)).toEqual({ counted: '5', stored: '5' })
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of refused) expect(reason).toMatchObject({ errorName: 'tooManyRuns' })
    const known = made.findIndex(({ status }) => status === 'fulfilled')
    expect(await storeOf(5).create(walletId, run(`r${known}`), null)).toBe('exists')
  })

  it('[NEXT-48] [NEXT-51] creates none for a person who was erased, and erases ids and reasons', async () => {
    const { userId, walletId, scope } = await newOwner()
    await storeOf().create(walletId, run('ann@example.com'), null)
    const author = operatorAuthor(nowMs)
    await storeOf().stop({ ...scope, externalId: 'ann@example.com' }, { reason: "Ann's wish" }, author)
    await erasePerson(database.pool, userId, author)
    const refused = { errorName: 'accountSuspended' }
    await expect(storeOf().create(walletId, run('bob'), null)).rejects.toMatchObject(refused)
    const { rows } = await database.pool.query(
      'SELECT external_id = id::text AS erased, stop_reason FROM runs WHERE wallet_id = $1',
      [walletId],
    )
    expect(rows).toEqual([{ erased: true, stop_reason: null }])
  })

  it('[NEXT-49] lets no child run escape a stop of a run above it', async () => {
    const { walletId, scope } = await newOwner()
    await storeOf().create(walletId, run('top'), null)
    await storeOf().create(walletId, run('mid', 'top'), null)
    const stopping = storeOf().stop({ ...scope, externalId: 'top' }, { reason: null }, operatorAuthor(nowMs))
    const born = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => storeOf().create(walletId, run(`low${at}`, 'mid'), null)),
    )
    await stopping
    const refused = born.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of refused) expect(reason).toMatchObject({ errorName: 'runStopped' })
    const { rows } = await database.pool.query(
      'SELECT external_id FROM runs WHERE wallet_id = $1 AND stopped_at IS NULL',
      [walletId],
    )
    expect(rows).toEqual([])
  })
})
