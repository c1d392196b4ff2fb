import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '#ports/blob-store.ts'
import { createS3Blobs } from '#store/blobs/s3-blobs.ts'
import { blobStoreContract } from './blob-contract.ts'
import { startS3, type TestS3 } from './start-s3.ts'

describe('blobs in a bucket', () => {
  let server: TestS3
  let store: BlobStore
  beforeAll(async () => {
    server = await startS3()
    store = createS3Blobs(server.options)
  }, 30_000)
  afterAll(async () => {
    await store.close()
    await server.close()
  })

  blobStoreContract(() => store)

  it('lists more than fit on one page', async () => {
    const keys = Array.from({ length: 1_050 }, (_, index) => `pages/${String(index).padStart(5, '0')}`)
    const waiting = keys.values()
    const lane = async (): Promise<void> => {
      for (const key of waiting)
        await store.put(key, { bytes: Buffer.from('x'), byteCount: 1, contentType: 'image/png' })
    }
    await Promise.all(Array.from({ length: 16 }, lane))
    expect(await store.list('pages/', 2_000)).toEqual(keys)
    expect(await store.list('pages/', 1_020)).toEqual(keys.slice(0, 1_020))
  }, 60_000)

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
