import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '#ports/blob-store.ts'
import { createS3Blobs } from '#store/blobs/s3-blobs.ts'
import { startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { blobStoreContract } from './blob-contract.ts'
import { startS3, type TestS3 } from './start-s3.ts'

describe('blobs in a bucket', () => {
  let server: TestS3
  let store: BlobStore
  beforeAll(async () => {
    server = await startS3()
    store = createS3Blobs(server.options)
  })
  afterAll(async () => {
    await store.close()
    await server.close()
  })

  blobStoreContract(() => store)

  it('lists more than fit on one page', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `pages/${String(index).padStart(5, '0')}`)
    for (const key of keys) await store.put(key, { bytes: Buffer.from('x'), byteCount: 1, contentType: 'image/png' })
    const paging = createS3Blobs({ ...server.options, pageKeysMax: 10 })
    expect(await paging.list('pages/', 50)).toEqual(keys)
    expect(await paging.list('pages/', 22)).toEqual(keys.slice(0, 22))
    expect(await paging.list('pages/', 20)).toEqual(keys.slice(0, 20))
    await paging.close()
  })

  // A bucket stores one of several concurrent requests as a whole. The server used here writes all of them into one
  // file, so it cannot prove that.
  it('sends each blob as one request with all of its bytes, however many write at once', async () => {
    const bucket = await startMediaUpstream(() => ({ status: 200, headers: { etag: '"x"' } }))
    const sending = createS3Blobs({ ...server.options, endpoint: bucket.url })
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, index + 1))
    await Promise.all(
      contents.map((bytes) => sending.put('raced/a', { bytes, byteCount: bytes.length, contentType: 'image/png' })),
    )
    expect(bucket.calls.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual(
      Array(8).fill(`PUT /${server.options.bucket}/raced/a`),
    )
    expect(bucket.calls.filter(({ path }) => /uploads|partNumber/.test(path))).toEqual([])
    for (const bytes of contents) expect(bucket.calls.some((call) => call.bytes.equals(bytes))).toBe(true)
    await sending.close()
    await bucket.close()
  })

  it.each([
    { what: 'a key that nobody knows', change: { credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'x' } } },
    { what: 'a bucket that is not there', change: { bucket: 'another' } },
    { what: 'a server that is away', change: { endpoint: 'http://127.0.0.1:1' } },
  ])('[ERR-42] says so where there is $what', async ({ change }) => {
    const wrong = createS3Blobs({ ...server.options, ...change })
    await expect(wrong.list('images/', 1)).rejects.toThrow()
    await expect(wrong.put('a', { bytes: Buffer.from('x'), byteCount: 1, contentType: 'a/b' })).rejects.toThrow()
    await wrong.close()
  })
})
