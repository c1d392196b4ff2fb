import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { purgeFiles } from '#jobs/purge-files.ts'
import type { Uuid } from '#lib/uuid.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { findOverFiles, forgetFiles } from '#store/postgres/files/files.sql.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type BatchWorld, chatLine, patience, startBatchWorld } from './batch-world.ts'

const clock = createTestClock(new Date().toISOString())
let world: BatchWorld
beforeAll(async () => {
  world = await startBatchWorld(
    { WEIR_FILES_BYTES_MAX: '1500000', WEIR_FILES_WALLET_BYTES_MAX: '4000000', WEIR_FILES_COUNT_MAX: '4' },
    { nowMs: clock.nowMs },
  )
})
afterAll(() => world.close())
beforeEach(() => world.reset())

/** The bytes of all stored chunks of files. */
async function storedChunks(): Promise<Buffer[]> {
  const folder = join(world.dataDir, 'blobs', 'files')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return Promise.all(
    found.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  )
}

/** As a worker does it. */
async function purge(nowMs = clock.nowMs()): Promise<number> {
  const files = {
    find: (atMost: number) => findOverFiles(world.pool, atMost, nowMs),
    forget: (ids: readonly Uuid[]) => forgetFiles(world.pool, ids),
  }
  return purgeFiles(files, createFileBlobs(join(world.dataDir, 'blobs')), 100)
}

const missing = (path: string): string => path.replace(/[0-9a-f]{32}/, '0'.repeat(32))

describe('the Files API', () => {
  it('[NEXT-170] stores, lists, shows, returns and deletes a file', async () => {
    const client = await world.createClient()
    const content = `${JSON.stringify(chatLine('one'))}\n`
    const uploaded = await world.upload(client, content)
    expect(uploaded.status, uploaded.text).toBe(200)
    const { json } = uploaded
    const createdS = Math.floor(clock.nowMs() / 1_000)
    expect(json).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
      object: 'file',
      bytes: content.length,
      created_at: createdS,
      expires_at: createdS + 30 * 86_400,
      filename: 'lines.jsonl',
      purpose: 'batch',
      status: 'processed',
    })
    const path = `/v1/files/${String(json.id)}`
    expect((await world.as(client).get(path)).json).toEqual(json)
    const downloaded = await world.as(client).get(`${path}/content`)
    expect([downloaded.status, downloaded.text]).toEqual([200, content])
    expect(downloaded.headers.get('x-content-type-options')).toBe('nosniff')
    clock.forward(1)
    const second = await world.upload(client, 'two', {
      fields: { purpose: 'batch', 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' },
    })
    expect(second.json.expires_at).toBe(Number(second.json.created_at) + 3_600)
    const ids = async (query: string) => {
      const { json: page } = await world.as(client).get(`/v1/files${query}`)
      return [page.has_more, ...(page.data as { id: string }[]).map(({ id }) => id)]
    }
    expect(await ids('')).toEqual([false, second.json.id, json.id])
    expect(await ids('?limit=1')).toEqual([true, second.json.id])
    expect(await ids(`?limit=1&after=${String(second.json.id)}`)).toEqual([false, json.id])
    expect(await ids('?order=asc&limit=1')).toEqual([true, json.id])
    expect(await ids('?purpose=batch_output')).toEqual([false])
    expect((await world.as(client).get('/v1/files?purpose=vision')).status).toBe(400)
    expect((await world.as(client).delete(path)).json).toEqual({ id: json.id, object: 'file', deleted: true })
    for (const gone of [path, `${path}/content`]) expect((await world.as(client).get(gone)).status).toBe(404)
    expect((await world.as(client).delete(path)).status).toBe(404)
    clock.forward(3_600_000)
    expect(await ids('')).toEqual([false])
  })

  it('[NEXT-171] encrypts the bytes, and a worker deletes them once no batch reads them', async () => {
    await purge(clock.nowMs() + 40 * 86_400_000)
    expect(await storedChunks()).toEqual([])
    const client = await world.createClient({ usd: '25' })
    const content = `{"note":"a secret word"}\n`.repeat(50_000)
    const long = await world.upload(client, content)
    expect((await world.as(client).get(`/v1/files/${String(long.json.id)}/content`)).text).toBe(content)
    const chunks = await storedChunks()
    expect(chunks).toHaveLength(2)
    for (const chunk of chunks) expect(chunk.includes('secret')).toBe(false)
    world.upstream.play(gatedCompletion('read'))
    const id = await world.start(client, [chatLine('one')])
    await expect.poll(() => world.upstream.requests.length, patience).toBe(1)
    const { input_file_id: input } = await world.batch(client, id)
    for (const file of [long.json.id, input]) await world.as(client).delete(`/v1/files/${String(file)}`)
    expect(await purge()).toBe(1)
    expect(await storedChunks()).toHaveLength(1)
    world.upstream.release('read')
    expect(await world.ended(client, id)).toMatchObject({ status: 'completed' })
    expect(await purge()).toBe(1)
    // The output.
    expect(await storedChunks()).toHaveLength(1)
    expect(await purge(clock.nowMs() + 30 * 86_400_000)).toBe(1)
    expect(await storedChunks()).toEqual([])
  })

  it('[NEXT-171] deletes the bytes of a gateway that died during an upload', async () => {
    const client = await world.createClient()
    const { json } = await world.upload(client, 'half')
    await world.pool.query('UPDATE files SET is_complete = false WHERE wallet_id = $1', [client.walletId])
    expect((await world.as(client).get(`/v1/files/${String(json.id)}`)).status).toBe(404)
    expect(await purge()).toBe(0)
    expect(await purge(clock.nowMs() + 86_400_000)).toBe(1)
    expect(await storedChunks()).toEqual([])
  })

  it('[NEXT-172] rejects what it cannot store', async () => {
    const client = await world.createClient()
    const refused = async (content: string, fields?: Record<string, string>) => {
      const { status, error } = await world.upload(client, content, fields === undefined ? {} : { fields })
      return [status, error.code]
    }
    expect(await refused('a', {})).toEqual([400, 'missing_required_field'])
    expect(await refused('a', { purpose: 'vision' })).toEqual([400, 400])
    expect(await refused('a', { purpose: 'batch', 'expires_after[seconds]': '5' })).toEqual([400, 400])
    expect(await refused('a'.repeat(1_500_001))).toEqual([413, 413])
    expect(await refused('a'.repeat(1_700_000))).toEqual([413, 413])
    const form = new FormData()
    form.append('purpose', 'batch')
    expect((await world.as(client).post('/v1/files', form)).error.code).toBe('missing_required_field')
    expect((await world.as(client).post('/v1/files', { purpose: 'batch' })).error.code).toBe('invalid_content_type')
    expect((await world.as(client).get('/v1/files')).json.data).toEqual([])
    for (let count = 0; count < 2; count += 1) {
      expect((await world.upload(client, 'a'.repeat(1_400_000))).status).toBe(200)
    }
    expect(await refused('a'.repeat(1_400_000))).toEqual([403, 'too_many_files'])
    for (let count = 0; count < 2; count += 1) expect((await world.upload(client, 'a')).status).toBe(200)
    expect(await refused('a')).toEqual([403, 'too_many_files'])
    const other = await world.createClient()
    expect((await world.upload(other, 'a')).status).toBe(200)
  })

  it('[NEXT-191] stores a file once for retries with the same key', async () => {
    const client = await world.createClient()
    const headers = { 'idempotency-key': 'upload-1' }
    const first = await world.upload(client, 'one', { headers })
    const again = await world.upload(client, 'one', { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await world.upload(client, 'two', { headers })).toMatchObject({
      status: 409,
      error: { code: 'idempotency_key_reused' },
    })
    expect((await world.as(client).get('/v1/files')).json.data).toHaveLength(1)
    const body = { input_file_id: first.json.id, endpoint: '/v1/chat/completions', completion_window: '24h' }
    const [one, two] = [
      await world.as(client).post('/v1/batches', body, { headers: { 'idempotency-key': 'batch-1' } }),
      await world.as(client).post('/v1/batches', body, { headers: { 'idempotency-key': 'batch-1' } }),
    ]
    expect([two.status, two.json.id]).toEqual([200, one.json.id])
  })

  it('[NEXT-173] shows neither files nor batches of others, not even that they exist', async () => {
    const { id: organizationId } = await world.createOrganization()
    const [ada, bob] = [await world.addMember(organizationId), await world.addMember(organizationId)]
    const { teamId } = await world.addTeam(organizationId)
    const owner = await world.addOrganizationKey(organizationId, { memberId: ada.memberId })
    const sameMember = await world.addOrganizationKey(organizationId, { memberId: ada.memberId })
    const others = [
      await world.addOrganizationKey(organizationId, { memberId: bob.memberId }),
      await world.addOrganizationKey(organizationId, { teamId }),
      await world.addOrganizationKey(organizationId),
      await world.createClient(),
    ]
    const batchId = await world.start(owner, [chatLine('one')])
    const { input_file_id: fileId } = await world.ended(owner, batchId)
    const made = await world.as(owner).post('/v1/messages/batches', {
      requests: [{ custom_id: 'one', params: { model: 'openai/gpt-5.2', max_tokens: 5, messages: [] } }],
    })
    const messageId = String(made.json.id)
    const asks = [
      ['GET', `/v1/files/${String(fileId)}`],
      ['GET', `/v1/files/${String(fileId)}/content`],
      ['DELETE', `/v1/files/${String(fileId)}`],
      ['GET', `/v1/batches/${batchId}`],
      ['POST', `/v1/batches/${batchId}/cancel`],
      ['GET', `/v1/messages/batches/${messageId}`],
      ['GET', `/v1/messages/batches/${messageId}/results`],
      ['POST', `/v1/messages/batches/${messageId}/cancel`],
      ['DELETE', `/v1/messages/batches/${messageId}`],
    ] as const
    for (const other of others) {
      for (const [method, path] of asks) {
        const reply = await world.as(other).send(method, path)
        expect([method, path, reply.status]).toEqual([method, path, 404])
        expect(reply.text.replace(/req_[0-9a-f]+/, '')).toBe(
          (await world.as(other).send(method, missing(path))).text.replace(/req_[0-9a-f]+/, ''),
        )
      }
      for (const list of ['/v1/files', '/v1/batches', '/v1/messages/batches']) {
        expect((await world.as(other).get(list)).json.data).toEqual([])
      }
      const body = { input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' }
      expect((await world.as(other).post('/v1/batches', body)).status).toBe(404)
    }
    expect((await world.as(sameMember).get(`/v1/batches/${batchId}`)).status).toBe(200)
  })

  it('[NEXT-189] loses files and batches with the account', async () => {
    const client = await world.createClient({ usd: '25' })
    const other = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('erased'))
    await world.start(client, [chatLine('one'), chatLine('two')])
    const kept = await world.start(other, [chatLine('other')])
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    const erased = await erasePerson(world.pool, client.userId, operatorAuthor(clock.nowMs()))
    expect(erased).not.toBe('missing')
    world.upstream.release('erased')
    await expect.poll(async () => (await world.chargesOf(client)).length, patience).toBe(2)
    const left = `SELECT 'file' AS what, name, sealed_key IS NULL AS is_closed FROM files WHERE wallet_id = $1
      UNION ALL SELECT 'batch', '', true FROM batches WHERE wallet_id = $1`
    expect((await world.pool.query(left, [client.walletId])).rows).toEqual([
      { what: 'file', name: '', is_closed: true },
    ])
    expect(await world.ended(other, kept)).toMatchObject({ status: 'completed' })
    // Its input, its output and itself.
    expect((await world.pool.query(left, [other.walletId])).rowCount).toBe(3)
    await world.settled()
  })
})
