import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { purgeCachedFiles } from '#jobs/purge-cached-files.ts'
import type { JsonObject } from '#lib/json.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { eraseCached, purgeCached } from '#store/postgres/cached-answers/cached-answers.sql.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { createKeyOver, type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import { offerFreeModel } from '#test/setup/offer-free-model.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

// A whole answer costs 0.006, and a hit a quarter of that. A wallet has room for three long answers.
let world: KeyWorld
// Of the gateway, ahead of the real one: after five seconds it reads rows again.
let aheadMs = 0
beforeAll(async () => {
  world = await startKeyWorld(
    { nowMs: () => Date.now() + aheadMs },
    { WEIR_CACHE_HIT_PRICE_PERCENT: '25', WEIR_CACHE_WALLET_BYTES_MAX: '1048576' },
  )
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play(answerOf('Hi'))
})

const usage = { prompt: 0, completion: 500 }
const answerOf = (text: string) => vendorCompletion('openai', { kind: 'text', pieces: [text], usage })

function send(as: Credential, body: JsonObject = { cache: true }): Promise<Reply> {
  return world
    .as(as)
    .post('/v1/chat/completions', { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500, ...body })
}

async function outcomeOf(as: Credential, body?: JsonObject): Promise<string | null> {
  const reply = await send(as, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.headers.get('x-weir-cache')
}

async function keptOf({ walletId }: { walletId: string }): Promise<number> {
  const text = `SELECT count(*)::integer AS kept FROM cached_answers WHERE wallet_id = $1 AND state = 'complete'`
  const { rows } = await world.pool.query<{ kept: number }>(text, [walletId])
  return rows[0]?.kept ?? 0
}

/** Waits until no answer is on its way to the store, which replies do not wait for. */
async function allFilled(): Promise<void> {
  const text = `SELECT FROM cached_answers WHERE state = 'filling'`
  await expect.poll(async () => (await world.pool.query(text)).rowCount).toBe(0)
}

/** The names and bytes of all kept answers. */
async function storedBytes(): Promise<Buffer[]> {
  const folder = join(world.dataDir, 'blobs', 'cached')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return Promise.all(
    found.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
}

describe('a hit with a price', () => {
  it('[NEXT-85] holds and charges its part, and its receipt adds up', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect(await outcomeOf(caller)).toBe('miss')
    const hit = await send(caller)
    expect(hit.json.usage).toMatchObject({ cost: 0.0015 })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0.0075' })
    const receipt = await world.get(caller, `/v1/generation?id=${hit.headers.get('x-generation-id')}`)
    expect(receipt).toMatchObject({ cache: 'hit', cache_price_percent: 25, refund_reason: null, total_cost: 0.0015 })
    expect(receipt).toMatchObject({
      hold: { held: 0.0015, charged: 0.0015 },
      receipt: { total: 0.0015, lines: [{ item: 'textOutput', count: 500, unit_price_usd: '0.000003' }] },
    })
    // No provider was asked, so the operator owes none.
    expect(await world.lastRecord(caller)).toMatchObject({ provider_cost_nano: '0' })
    await world.expectSoundBooks()
  })

  it('[NEXT-85] is free if the answer was free, although the quota of its model is used up', async () => {
    const caller = await world.createClient({ usd: '25' })
    await offerFreeModel(world, 'openai/gpt-4o-mini', { unitsPerDay: 1 })
    const body = { model: 'openai/gpt-4o-mini', cache: true }
    expect(await outcomeOf(caller, body)).toBe('miss')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0' })
    const free = async (): Promise<boolean> =>
      (await send(caller, { ...body, cache: false })).headers.get('x-weir-free-fallback') === null
    while (await free());
    const { charged } = await world.walletOf(caller.walletId)
    expect(charged).not.toBe('0')
    const hit = await send(caller, body)
    expect([hit.headers.get('x-weir-cache'), hit.headers.get('x-weir-free-fallback')]).toEqual(['hit', 'daily'])
    expect(hit.json.usage).toMatchObject({ cost: 0 })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged })
    await world.expectSoundBooks()
  })

  it('[NEXT-85] is refused without credit for it', async () => {
    const caller = await world.createClient({ usd: '0.0070' })
    expect(await outcomeOf(caller)).toBe('miss')
    const refused = await send(caller)
    expect([refused.status, refused.error]).toMatchObject([402, { code: 'insufficient_credits' }])
    expect(refused.text).toContain('needs to reserve $0.0015')
    await world.expectSoundBooks()
  })
})

describe('kept answers', () => {
  it('[NEXT-87] are encrypted', async () => {
    const caller = await world.createClient({ usd: '25' })
    await allFilled()
    const before = (await storedBytes()).length
    world.upstream.play(answerOf('a secret of the client'))
    expect(await outcomeOf(caller)).toBe('miss')
    expect((await send(caller)).text).toContain('a secret of the client')
    const stored = await storedBytes()
    expect(stored).toHaveLength(before + 1)
    expect(stored.some((bytes) => bytes.includes('a secret of the client'))).toBe(false)
  })

  it('[NEXT-82] [NEXT-87] cannot be decrypted for another wallet, even if its row is copied', async () => {
    const [caller, thief] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    expect([await outcomeOf(caller), await outcomeOf(caller)]).toEqual(['miss', 'hit'])
    await world.pool.query('UPDATE cached_answers SET wallet_id = $2 WHERE wallet_id = $1', [
      caller.walletId,
      thief.walletId,
    ])
    expect(await outcomeOf(thief)).toBe('miss')
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('[NEXT-87] end with their person, and after their time', async () => {
    const [caller, kept] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    for (const each of [caller, kept]) expect([await outcomeOf(each), await outcomeOf(each)]).toEqual(['miss', 'hit'])
    await inTransaction(world.pool, 'READ COMMITTED', (client) => eraseCached(client, caller.userId))
    expect([await keptOf(caller), await keptOf(kept)]).toEqual([0, 1])
    await purgeCached(world.pool, 1_000)
    expect(await keptOf(kept)).toBe(1)
    await world.pool.query('UPDATE cached_answers SET expires_at = now() WHERE wallet_id = $1', [kept.walletId])
    expect(await purgeCached(world.pool, 1_000)).toBe(1)
    aheadMs += 5_000
    expect([await outcomeOf(caller), await outcomeOf(kept)]).toEqual(['miss', 'miss'])
  })

  it('[NEXT-87] are the newest of a wallet, within its limit', async () => {
    const caller = await world.createClient({ usd: '25' })
    await allFilled()
    const before = (await storedBytes()).length
    world.upstream.play(answerOf('long '.repeat(60_000)))
    for (const seed of [1, 2, 3]) {
      expect(await outcomeOf(caller, { cache: true, seed })).toBe('miss')
      expect(await outcomeOf(caller, { cache: true, seed })).toBe('hit')
    }
    expect(await outcomeOf(caller, { cache: true, seed: 4 })).toBe('miss')
    expect(await outcomeOf(caller, { cache: true, seed: 4 })).toBe('hit')
    await expect.poll(() => keptOf(caller)).toBe(3)
    await expect.poll(async () => (await storedBytes()).length).toBe(before + 3)
    aheadMs += 5_000
    expect(await outcomeOf(caller, { cache: true, seed: 3 })).toBe('hit')
    expect(await outcomeOf(caller, { cache: true, seed: 1 })).toBe('miss')
    await allFilled()
    await expect.poll(async () => (await storedBytes()).length).toBe(before + 3)
  })

  it('[NEXT-87] leave the blob store after the longest time', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect(await outcomeOf(caller)).toBe('miss')
    await allFilled()
    const blobs = createFileBlobs(join(world.dataDir, 'blobs'))
    const stored = (await storedBytes()).length
    const [retentionMs, nowMs] = [86_400_000, Date.now()]
    expect(await purgeCachedFiles(blobs, { nowMs, retentionMs, atMost: 1_000 })).toBe(0)
    const later = nowMs + retentionMs + 3_600_000
    expect(await purgeCachedFiles(blobs, { nowMs: later, retentionMs, atMost: 1_000 })).toBe(stored)
    // A row without its bytes is a miss, and is filled again.
    expect([await outcomeOf(caller), await outcomeOf(caller)]).toEqual(['miss', 'hit'])
  })

  it('[NEXT-89] fail no request if the store rejects or loses them', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect([await outcomeOf(caller), await outcomeOf(caller)]).toEqual(['miss', 'hit'])
    const folder = join(world.dataDir, 'blobs', 'cached')
    await rename(folder, `${folder}-aside`)
    await writeFile(folder, 'no folder')
    expect(await outcomeOf(caller, { cache: true, seed: 9 })).toBe('miss')
    await rm(folder)
    await rename(`${folder}-aside`, folder)
    aheadMs += 5_000
    await world.pool.query('ALTER TABLE cached_answers RENAME TO cached_answers_away')
    try {
      expect(await outcomeOf(caller)).toBe('bypass')
    } finally {
      await world.pool.query('ALTER TABLE cached_answers_away RENAME TO cached_answers')
    }
    expect(await outcomeOf(caller)).toBe('hit')
    await world.expectSoundBooks()
  })
})

describe('the setting of a key or an organization', () => {
  it('[NEXT-88] turns the cache on, and the body turns it off', async () => {
    const manager = await world.manager()
    const { id, key, json } = await createKeyOver(world, manager, { cacheTtlSeconds: 600 })
    expect(json).toMatchObject({ cacheTtlSeconds: 600 })
    expect([await outcomeOf({ key }, {}), await outcomeOf({ key }, {})]).toEqual(['miss', 'hit'])
    expect(await outcomeOf({ key }, { cache: false })).toBeNull()
    // An endpoint that keeps nothing goes on as always.
    const change = async (cacheTtlSeconds: unknown) =>
      world.send(manager, 'PATCH', `/v1/keys/${id}`, { cacheTtlSeconds } as JsonObject)
    for (const bad of [-1, 1.5, '60', 2_592_001]) expect((await change(bad)).status, String(bad)).toBe(400)
    for (const off of [0, null]) {
      expect((await change(off)).json.data).toMatchObject({ cacheTtlSeconds: off })
      await expect.poll(() => outcomeOf({ key }, {})).toBeNull()
    }
    expect((await world.auditOf(id)).map(({ after }) => after?.['cacheTtlSeconds'])).toEqual([600, 0, null])
  })

  it('[NEXT-88] of an organization holds for keys without one', async () => {
    const { id, walletId } = await world.createOrganization({ name: 'Cache' })
    await world.credit(walletId, '25')
    const { memberId } = await world.addMember(id)
    const { key } = await world.addOrganizationKey(id, { memberId })
    const off = await world.addOrganizationKey(id, { memberId })
    await world.pool.query('UPDATE api_keys SET cache_ttl_seconds = 0 WHERE id = $1', [off.keyId])
    await world.pool.query('UPDATE organizations SET cache_ttl_seconds = 600 WHERE id = $1', [id])
    expect([await outcomeOf({ key }, {}), await outcomeOf({ key }, {})]).toEqual(['miss', 'hit'])
    expect(await outcomeOf({ key: off.key }, {})).toBeNull()
  })
})

it('[NEXT-82] keeps answers of a token for its own customer', async () => {
  const owner = await world.createClient({ usd: '25' })
  const { key } = await world.addKey(owner.userId, { type: 'management' })
  const tokens = []
  for (const customer of ['acme', 'bolt']) {
    await world.send({ key }, 'POST', '/v1/customers', { id: customer })
    const terms = { api_key_id: owner.keyId }
    const made = await world.send({ key }, 'POST', `/v1/customers/${customer}/tokens`, terms)
    tokens.push({ key: String(made.data['token']) })
  }
  for (const token of tokens) expect([await outcomeOf(token), await outcomeOf(token)]).toEqual(['miss', 'hit'])
  expect(await outcomeOf(owner)).toBe('miss')
})
