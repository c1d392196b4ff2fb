import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { purgeResponseFiles } from '#jobs/purge-response-files.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { eraseResponses, purgeResponses } from '#store/postgres/stored-responses/stored-responses.sql.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import type { Credential } from '#test/setup/client.ts'
import { answerOf, missing, type ResponseWorld, startResponseWorld } from './response-world.ts'

// A wallet has room for three long responses. Responses are stored unless a request says otherwise.
let world: ResponseWorld
beforeAll(async () => {
  world = await startResponseWorld({
    WEIR_RESPONSES_STORE_BY_DEFAULT: 'true',
    WEIR_RESPONSES_BYTES_PER_WALLET: '1048576',
  })
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play(answerOf('Hi'))
})

const statusOf = async (as: Credential, id: string): Promise<number> => (await world.read(as, id)).status

/** The files of all responses. */
async function storedBytes(): Promise<Buffer[]> {
  const folder = join(world.dataDir, 'blobs', 'responses')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return Promise.all(
    found.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
}

describe('a stored response', () => {
  it('[NEXT-161] is made of every request without `store`, if the operator says so', async () => {
    const caller = await world.createClient({ usd: '25' })
    const { json } = await world.respond(caller, {})
    expect(json.store).toBe(true)
    expect(await statusOf(caller, String(json.id))).toBe(200)
    const opted = await world.respond(caller, { store: false })
    expect(opted.json.store).toBe(false)
    expect(await statusOf(caller, String(opted.json.id))).toBe(404)
    const continued = await world.respond(caller, { store: false, previous_response_id: json.id ?? null })
    expect(continued.json).toMatchObject({ store: false, previous_response_id: json.id })
  })

  it('[NEXT-161] is encrypted', async () => {
    const caller = await world.createClient({ usd: '25' })
    const before = (await storedBytes()).length
    world.upstream.play(answerOf('a secret answer'))
    await world.stored(caller, { input: 'a secret question' })
    const stored = await storedBytes()
    expect(stored).toHaveLength(before + 2)
    expect(stored.some((bytes) => bytes.includes('secret'))).toBe(false)
  })

  it('[NEXT-167] belongs to a person: other keys of the same person in the same wallet, and no others', async () => {
    const caller = await world.createClient({ usd: '25' })
    const sibling = await world.addKey(caller.userId)
    const id = await world.stored(caller)
    expect(await statusOf(sibling, id)).toBe(200)
    expect((await world.respond(sibling, { previous_response_id: id })).status).toBe(200)
    await expectHidden(await world.createClient({ usd: '25' }), id)
    expect((await world.as(sibling).delete(`/v1/responses/${id}`)).status).toBe(200)
  })

  it('[NEXT-167] of a member is hidden from the other members of the organization, and from its own keys', async () => {
    const { id: organizationId } = await world.createOrganization()
    const [one, other] = [
      await world.addMember(organizationId),
      await world.addMember(organizationId, { role: 'org_admin' }),
    ]
    const keyOf = (memberId?: string) =>
      world.addOrganizationKey(organizationId, memberId === undefined ? {} : { memberId })
    const [key, otherKey, ownKey] = [await keyOf(one.memberId), await keyOf(other.memberId), await keyOf()]
    const id = await world.stored(key)
    expect(await statusOf(key, id)).toBe(200)
    await expectHidden(otherKey, id)
    await expectHidden(ownKey, id)
    await expectHidden(key, await world.stored(ownKey))
    // The same person with a personal wallet.
    await expectHidden(await world.addKey(one.userId), id)
  })

  it('[NEXT-167] cannot be decrypted for another wallet, even if its row is copied', async () => {
    const [caller, thief] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    const id = await world.stored(caller)
    const text = 'UPDATE stored_responses SET wallet_id = $2, person_id = $3 WHERE wallet_id = $1'
    await world.pool.query(text, [caller.walletId, thief.walletId, thief.userId])
    expect(await world.read(thief, id)).toMatchObject(missing)
    expect((await world.respond(thief, { previous_response_id: id })).error.code).toBe('previous_response_not_found')
  })

  it('[NEXT-168] ends with its person', async () => {
    const [gone, kept] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    const [lost, left] = [await world.stored(gone), await world.stored(kept)]
    await inTransaction(world.pool, 'READ COMMITTED', (client) => eraseResponses(client, gone.userId))
    expect([await statusOf(gone, lost), await statusOf(kept, left)]).toEqual([404, 200])
  })

  it('[NEXT-163] [NEXT-168] ends after its time', async () => {
    const [late, kept] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    const [old, left] = [await world.stored(late), await world.stored(kept)]
    await world.pool.query('UPDATE stored_responses SET expires_at = now() WHERE wallet_id = $1', [late.walletId])
    await expectHidden(late, old)
    expect(await purgeResponses(world.pool, 1_000)).toBe(1)
    expect(await statusOf(kept, left)).toBe(200)
  })

  it('[NEXT-168] is not made for a person who was deleted', async () => {
    const caller = await world.createClient({ usd: '25' })
    // The gateway has the key in its cache.
    await world.stored(caller)
    await world.pool.query(`UPDATE users SET email = 'deleted:' || id WHERE id = $1`, [caller.userId])
    const before = (await storedBytes()).length
    const { status, json } = await world.respond(caller, {})
    expect([status, await statusOf(caller, String(json.id))]).toEqual([200, 404])
    expect((await world.respond(caller, { background: true })).status).toBe(401)
    expect(await storedBytes()).toHaveLength(before)
    await world.expectSoundBooks()
  })

  it('[NEXT-168] is among the newest of its wallet, within the limit', async () => {
    const caller = await world.createClient({ usd: '25' })
    const ids: string[] = []
    world.upstream.play(answerOf('long '.repeat(60_000)))
    for (let count = 0; count < 4; count += 1) ids.push(await world.stored(caller))
    expect(await Promise.all(ids.map((id) => statusOf(caller, id)))).toEqual([404, 200, 200, 200])
  })

  it('[NEXT-168] leaves the blob store after its time', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await world.stored(caller)
    const blobs = createFileBlobs(join(world.dataDir, 'blobs'))
    const stored = (await storedBytes()).length
    const [retentionMs, nowMs] = [3_600_000, Date.now()]
    expect(await purgeResponseFiles(blobs, { nowMs, retentionMs, atMost: 1_000 })).toBe(0)
    const later = nowMs + retentionMs + 3_600_000
    expect(await purgeResponseFiles(blobs, { nowMs: later, retentionMs, atMost: 1_000 })).toBe(stored)
    expect(await statusOf(caller, id)).toBe(404)
  })

  it('[NEXT-169] that cannot be stored is delivered and charged all the same', async () => {
    const caller = await world.createClient({ usd: '25' })
    await world.stored(caller)
    const folder = join(world.dataDir, 'blobs', 'responses')
    await rename(folder, `${folder}-aside`)
    await writeFile(folder, 'no folder')
    try {
      const { status, json } = await world.respond(caller, {})
      expect([status, json.status]).toEqual([200, 'completed'])
      expect(await statusOf(caller, String(json.id))).toBe(404)
      expect((await world.walletOf(caller.walletId)).charged).toBe('0.012')
    } finally {
      await rm(folder)
      await rename(`${folder}-aside`, folder)
    }
    await world.expectSoundBooks()
  })
})

/** Every way to a response answers as if it did not exist. */
async function expectHidden(as: Credential, id: string): Promise<void> {
  expect(await world.read(as, id)).toMatchObject(missing)
  expect(await world.read(as, id, '/input_items')).toMatchObject(missing)
  expect(await world.as(as).delete(`/v1/responses/${id}`)).toMatchObject(missing)
  expect(await world.cancel(as, id)).toMatchObject(missing)
  const { status, error } = await world.respond(as, { previous_response_id: id })
  expect([status, error.code]).toEqual([400, 'previous_response_not_found'])
}
