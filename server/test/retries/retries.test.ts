import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { purgeAnswerFiles } from '#jobs/purge-answer-files.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { eraseAnswers, purgeAnswers } from '#store/postgres/answers/answers.sql.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { textAfterUsage } from '#test/simulators/scenarios/text-after-usage.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { openStream } from '#test/streams/stream-client.ts'

// A whole answer costs 0.006.
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld({}, { WEIR_RETRIES_ANSWER_BYTES_MAX: '1048576' })
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

const usage = { prompt: 0, completion: 500 }
const answerOf = (text: string) => vendorCompletion('openai', { kind: 'text', pieces: [text], usage })
const gate = { do: 'gate', name: 'g' } as const

let keys = 0
const newKey = (): string => `retry-${(keys += 1)}`

function send(
  as: Credential,
  key: string,
  body: JsonObject = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  return world
    .as(as)
    .post(
      '/v1/chat/completions',
      { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500, ...body },
      { headers: { 'idempotency-key': key, ...headers } },
    )
}

function stream(as: { key: string }, key: string) {
  return openStream(world.as(as), { max_tokens: 500 }, { 'idempotency-key': key })
}

const chargedTo = async (walletId: string): Promise<unknown> => (await world.walletOf(walletId)).charged

/** The names and bytes of all stored chunks. */
async function storedChunks(): Promise<Buffer[]> {
  const folder = join(world.dataDir, 'blobs', 'answers')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return Promise.all(
    found.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
}

describe('a request that is sent again with its idempotency key', () => {
  it('[NEXT-60] gets the first answer, and is charged once', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    const first = await send(caller, key)
    expect([first.status, first.headers.get('x-weir-replayed')]).toEqual([200, null])
    world.upstream.playNext(answerOf('another answer'))
    const again = await send(caller, key)
    expect([again.status, again.text]).toEqual([200, first.text])
    const shown = ['x-generation-id', 'content-type'].map((name) => again.headers.get(name))
    expect(shown).toEqual(['x-generation-id', 'content-type'].map((name) => first.headers.get(name)))
    expect(again.headers.get('x-weir-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(world.upstream.requests).toHaveLength(1)
    expect(await chargedTo(caller.walletId)).toBe('0.006')
    await world.expectSoundBooks()
    world.upstream.play(answerOf('Hi'))
  })

  it('[NEXT-61] gets the same stream', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.playNext(goodStream({}))
    const first = await send(caller, key, { stream: true })
    const again = await send(caller, key, { stream: true })
    expect([again.status, again.isStream, again.sawDone, again.text]).toEqual([200, true, true, first.text])
    expect(again.headers.get('x-weir-replayed')).toBe('true')
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectSoundBooks()
  })

  it('[NEXT-62] joins the running stream from its first byte', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.playNext(insertAfterWrites(goodStream({}), 3, gate))
    const first = await stream(caller, key)
    await world.upstream.waitForGate('g')
    const joined = await stream(caller, key)
    await joined.waitFor('"lo"')
    world.upstream.release('g')
    expect(await joined.end()).toBe(await first.end())
    expect(joined.text).toContain('[DONE]')
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectSoundBooks()
  })

  it('[NEXT-62] makes one upstream call with many others at once', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(caller, key)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(world.upstream.requests).toHaveLength(1)
    expect(await chargedTo(caller.walletId)).toBe('0.006')
    await world.expectSoundBooks()
  })

  it('[NEXT-63] is rejected if it is another request', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    expect((await send(caller, key)).status).toBe(200)
    const others = [
      await send(caller, key, { temperature: 0.5 }),
      await send(caller, key, {}, { 'x-weir-customer': 'acme' }),
      await send(caller, key, {}, { 'x-weir-tags': 'team=search' }),
      await send(caller, key, {}, { 'x-weir-max-cost': '1' }),
      await world
        .as(caller)
        .post(
          '/v1/messages',
          { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 },
          { headers: { 'idempotency-key': key } },
        ),
    ]
    expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
    expect(others[0]?.error).toMatchObject({ code: 'idempotency_key_reused' })
    expect(others[0]?.headers.get('x-should-retry')).toBe('false')
    for (const malformed of ['with space', 'x'.repeat(256)]) expect((await send(caller, malformed)).status).toBe(400)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('[NEXT-65] runs again if it failed or was rejected', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.play(vendorError('openai', 'server-error'))
    expect((await send(caller, key)).status).toBeGreaterThanOrEqual(500)
    world.upstream.play(answerOf('Hi'))
    expect((await send(caller, key)).status).toBe(200)
    expect(await chargedTo(caller.walletId)).toBe('0.006')
    const poor = await world.createClient({ usd: '0.001' })
    expect((await send(poor, key)).status).toBe(402)
    const { rows } = await world.pool.query('SELECT FROM idempotent_answers WHERE wallet_id = $1', [poor.walletId])
    expect(rows).toEqual([])
    await world.expectSoundBooks()
  })

  it('[NEXT-66] gets the whole answer of a client that disconnected', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.playNext(insertAfterWrites(goodStream({}), 3, gate))
    const lost = await stream(caller, key)
    await lost.waitFor('"lo"')
    lost.leave()
    const again = await stream(caller, key)
    world.upstream.release('g')
    expect(await again.end()).toContain('[DONE]')
    expect(again.headers['x-weir-replayed']).toBe('true')
    expect(world.upstream.requests).toHaveLength(1)
    await world.settled()
    expect(await world.lastRecord(caller)).toMatchObject({ cancelled: false, refund_reason: null })
  })

  it('[NEXT-60] gets its answer although its run was stopped and its customer suspended, and counts for no rule', async () => {
    const caller = await world.createClient({ usd: '25' })
    const { key: manager } = await world.addKey(caller.userId, { type: 'management' })
    const [key, headers] = [newKey(), { 'x-weir-customer': 'acme', 'x-weir-run': 'r', 'x-weir-run-rules': 'repeats=2' }]
    const first = await send(caller, key, {}, headers)
    for (let retry = 1; retry <= 3; retry += 1) expect((await send(caller, key, {}, headers)).text).toBe(first.text)
    expect((await send(caller, newKey(), {}, headers)).status).toBe(200)
    expect((await send(caller, newKey(), {}, headers)).json).toMatchObject({ error: { code: 'run_stopped' } })
    expect((await world.send(manager, 'PATCH', '/v1/customers/acme', { suspended: true })).status).toBe(200)
    expect((await send(caller, key, {}, headers)).text).toBe(first.text)
  })

  it('[NEXT-69] gets no part of an answer that was charged when its run was stopped', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.playNext(textAfterUsage('g'))
    const open = () => openStream(world.as(caller), {}, { 'idempotency-key': key, 'x-weir-run': 'job' })
    const first = await open()
    await first.waitFor('world')
    expect((await world.as(caller).send('POST', '/v1/runs/job/stop', {})).status).toBe(200)
    expect(await first.end()).toContain('run_stopped')
    const charged = await chargedTo(caller.walletId)
    const again = await open()
    expect([again.status, await again.end()]).toEqual([409, expect.stringContaining('answer_not_stored')])
    expect(world.upstream.requests).toHaveLength(1)
    expect(await chargedTo(caller.walletId)).toBe(charged)
    await world.expectSoundBooks()
  })

  it('[NEXT-69] is not charged again if the answer was too long to store', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    world.upstream.playNext(answerOf('long '.repeat(220_000)))
    expect((await send(caller, key)).status).toBe(200)
    const again = await send(caller, key)
    expect([again.status, again.error]).toMatchObject([409, { code: 'answer_not_stored' }])
    expect(world.upstream.requests).toHaveLength(1)
    expect(await chargedTo(caller.walletId)).toBe('0.006')
  })
})

it('[NEXT-64] never gets the answer of another key', async () => {
  const caller = await world.createClient({ usd: '25' })
  const sibling = await world.addKey(caller.userId)
  const stranger = await world.createClient({ usd: '25' })
  const key = newKey()
  const own = [await send(caller, key), await send(sibling, key), await send(stranger, key)]
  expect(own.map(({ headers }) => headers.get('x-weir-replayed'))).toEqual([null, null, null])
  expect(new Set(own.map(({ headers }) => headers.get('x-generation-id'))).size).toBe(3)
  expect(world.upstream.requests).toHaveLength(3)
  // Another body of another key is no conflict, so it tells nothing about the first one.
  expect((await send(stranger, newKey(), { temperature: 0.1 })).status).toBe(200)
})

describe('stored answers', () => {
  it('[NEXT-69] that the blob store rejects are delivered and charged once', async () => {
    const caller = await world.createClient({ usd: '25' })
    const key = newKey()
    const folder = join(world.dataDir, 'blobs', 'answers')
    await rename(folder, `${folder}-aside`)
    await writeFile(folder, 'no folder')
    expect((await send(caller, key)).status).toBe(200)
    await rm(folder)
    await rename(`${folder}-aside`, folder)
    const again = await send(caller, key)
    expect([again.status, again.error]).toMatchObject([409, { code: 'answer_not_stored' }])
    expect(await chargedTo(caller.walletId)).toBe('0.006')
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('[NEXT-68] are deleted from the blob store after a day', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect((await send(caller, newKey())).status).toBe(200)
    const blobs = createFileBlobs(join(world.dataDir, 'blobs'))
    const stored = (await storedChunks()).length
    const nowMs = Date.now()
    expect(await purgeAnswerFiles(blobs, { nowMs, atMost: 1_000 })).toBe(0)
    expect(await purgeAnswerFiles(blobs, { nowMs: nowMs + 25 * 3_600_000, atMost: 1_000 })).toBe(stored)
    expect(await storedChunks()).toEqual([])
  })

  it('[NEXT-68] are encrypted, and only those of requests with a key', async () => {
    const caller = await world.createClient({ usd: '25' })
    const before = (await storedChunks()).length
    world.upstream.playNext(answerOf('a secret of the client'))
    expect((await world.call(caller, { max_tokens: 500 })).status).toBe(200)
    expect(await storedChunks()).toHaveLength(before)
    world.upstream.playNext(answerOf('a secret of the client'))
    expect((await send(caller, newKey())).text).toContain('a secret of the client')
    const chunks = await storedChunks()
    expect(chunks).toHaveLength(before + 1)
    expect(chunks.some((bytes) => bytes.includes('a secret of the client'))).toBe(false)
  })

  it('[NEXT-68] end with their person, and after a day', async () => {
    const caller = await world.createClient({ usd: '25' })
    const kept = await world.createClient({ usd: '25' })
    const key = newKey()
    for (const each of [caller, kept]) expect((await send(each, key)).status).toBe(200)
    await inTransaction(world.pool, 'READ COMMITTED', (client) => eraseAnswers(client, caller.userId))
    expect((await send(caller, key)).headers.get('x-weir-replayed')).toBeNull()
    expect((await send(kept, key)).headers.get('x-weir-replayed')).toBe('true')
    expect(await purgeAnswers(world.pool, 100)).toBe(0)
    await world.pool.query('UPDATE idempotent_answers SET expires_at = now() WHERE wallet_id = $1', [kept.walletId])
    expect((await send(kept, key)).headers.get('x-weir-replayed')).toBeNull()
    await world.pool.query('UPDATE idempotent_answers SET expires_at = now() WHERE wallet_id = $1', [kept.walletId])
    expect(await purgeAnswers(world.pool, 100)).toBe(1)
  })
})
