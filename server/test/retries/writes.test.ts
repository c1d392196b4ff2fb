import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseWriteAnswers, purgeWriteAnswers } from '#store/postgres/answers/write-answers.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { type KeyWorld, type Manager, startKeyWorld } from '#test/keys/key-world.ts'
import type { CallBody } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const headers = { 'idempotency-key': 'one' }

function createKey(as: Manager, body: CallBody = { name: 'ci' }): Promise<Reply> {
  return world.as(as).post('/v1/keys', body, { headers })
}

async function namesOf(manager: Manager): Promise<unknown[]> {
  const { rows } = await world.pool.query<{ name: string }>(
    'SELECT name FROM api_keys WHERE wallet_id = $1 AND id <> $2 ORDER BY name',
    [manager.walletId, manager.keyId],
  )
  return rows.map(({ name }) => name)
}

async function storedOf({ userId }: Manager): Promise<string> {
  const { rows } = await world.pool.query('SELECT * FROM write_answers WHERE user_id = $1', [userId])
  return JSON.stringify(rows)
}

/** As if its gateway had died while it ran the request. */
async function abandon({ userId }: Manager): Promise<void> {
  const text = `UPDATE write_answers SET status = NULL, sealed = NULL, lease_until = now() - interval '1 s'
    WHERE user_id = $1`
  await world.pool.query(text, [userId])
}

describe('an account request with an idempotency key', () => {
  it('[NEXT-70] takes effect once, and its repetition gets the same answer', async () => {
    const manager = await world.manager()
    const first = await createKey(manager)
    const again = await createKey(manager)
    expect([first.status, first.headers.get('x-weir-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('x-weir-replayed')]).toEqual([201, 'true'])
    expect(again.text).toBe(first.text)
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-70] takes effect once if it is sent forty times at once', async () => {
    const manager = await world.manager()
    const replies = await Promise.all(Array.from({ length: 40 }, () => createKey(manager)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('x-weir-replayed') === null)).toHaveLength(1)
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-70] replays an answer without content', async () => {
    const manager = await world.manager()
    const { json } = await createKey(manager)
    const path = `/v1/keys/${String(json.id ?? '')}`
    const remove = (): Promise<Reply> => world.as(manager).delete(path, { headers: { 'idempotency-key': 'two' } })
    const [first, again] = [await remove(), await remove()]
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('x-weir-replayed')).toBe('true')
    // Without the key it finds no key to delete.
    expect((await world.as(manager).delete(path)).status).toBe(404)
  })

  it('[NEXT-71] answers 409 for another request with the same key, which does nothing', async () => {
    const manager = await world.manager()
    await createKey(manager)
    const other = await createKey(manager, { name: 'other' })
    expect([other.status, other.json]).toMatchObject([409, { error: { code: 'idempotency_key_reused' } }])
    const elsewhere = await world.as(manager).post('/v1/customers', { id: 'acme' }, { headers })
    expect(elsewhere).toMatchObject({ status: 409, json: { error: { code: 'idempotency_key_reused' } } })
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-71] is independent of the same key of another API key or person', async () => {
    const [one, two] = [await world.manager(), await world.manager()]
    const [first, second] = [await createKey(one), await createKey(two, { name: 'other' })]
    expect([first.status, second.status, second.headers.get('x-weir-replayed')]).toEqual([201, 201, null])
    expect(await namesOf(two)).toEqual(['other'])
  })

  it('[NEXT-72] is not remembered if it was rejected', async () => {
    const manager = await world.manager()
    const rejected = await createKey(manager, { name: '' })
    expect(rejected.status).toBe(400)
    expect(await createKey(manager)).toMatchObject({ status: 201 })
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-72] is rejected if its key is malformed', async () => {
    const manager = await world.manager()
    const send = (key: string): Promise<Reply> =>
      world.as(manager).post('/v1/keys', { name: 'ci' }, { headers: { 'idempotency-key': key } })
    expect((await send('x'.repeat(256))).status).toBe(400)
    expect((await send('two words')).status).toBe(400)
    expect(await namesOf(manager)).toEqual([])
    expect((await send('x'.repeat(255))).status).toBe(201)
  })

  it('[NEXT-73] never runs again if its gateway died', async () => {
    const manager = await world.manager()
    await createKey(manager)
    await abandon(manager)
    expect(await createKey(manager)).toMatchObject({ status: 409, json: { error: { code: 'answer_not_stored' } } })
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-73] never runs again if its answer was too long to be stored', async () => {
    const manager = await world.manager()
    await createKey(manager)
    await world.pool.query('UPDATE write_answers SET sealed = NULL WHERE user_id = $1', [manager.userId])
    expect(await createKey(manager)).toMatchObject({ status: 409, json: { error: { code: 'answer_not_stored' } } })
    expect(await namesOf(manager)).toEqual(['ci'])
  })

  it('[NEXT-74] stores its answer encrypted, and forgets it after a day', async () => {
    const manager = await world.manager()
    const { json } = await createKey(manager)
    const secret = String(json.key ?? '')
    expect(secret).toMatch(/^sk-weir-/)
    expect(await storedOf(manager)).toContain('wrappedKey')
    expect(await storedOf(manager)).not.toContain(secret)
    expect(await purgeWriteAnswers(world.pool, 100)).toBe(0)
    await world.pool.query('UPDATE write_answers SET expires_at = now() WHERE user_id = $1', [manager.userId])
    // Even before the worker deletes the row.
    expect((await createKey(manager)).headers.get('x-weir-replayed')).toBeNull()
    await world.pool.query('UPDATE write_answers SET expires_at = now() WHERE user_id = $1', [manager.userId])
    expect(await purgeWriteAnswers(world.pool, 100)).toBe(1)
    expect(await storedOf(manager)).toBe('[]')
  })

  it('[NEXT-74] forgets its answer with its person', async () => {
    const [manager, kept] = [await world.manager(), await world.manager()]
    for (const each of [manager, kept]) expect((await createKey(each)).status).toBe(201)
    await inTransaction(world.pool, 'READ COMMITTED', (client) => eraseWriteAnswers(client, manager.userId))
    expect(await storedOf(manager)).toBe('[]')
    expect((await createKey(kept)).headers.get('x-weir-replayed')).toBe('true')
  })

  it('[NEXT-70] ignores the key on reads', async () => {
    const manager = await world.manager()
    expect((await world.as(manager).get('/v1/keys', { headers })).status).toBe(200)
    expect(await storedOf(manager)).toBe('[]')
  })
})
