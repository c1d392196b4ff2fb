import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageKeyAt } from '#control/media/image-tokens.ts'
import { purgeImages } from '#jobs/purge-images.ts'
import { newUuid } from '#lib/uuid.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'

const hourMs = 3_600_000
const noonMs = Date.parse('2026-11-15T12:00:00Z')

describe('purgeImages', () => {
  let folder: string
  let blobs: BlobStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-purge-'))
    blobs = createFileBlobs(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function keepAt(madeAtMs: number): Promise<string> {
    const key = imageKeyAt(madeAtMs, newUuid(madeAtMs))
    await blobs.put(key, { bytes: Buffer.from('x'), byteCount: 1, contentType: 'image/png' })
    return key
  }

  const purgeAt = (nowMs: number, atMost = 500) => purgeImages(blobs, { nowMs, retentionMs: hourMs, atMost })

  it('[IMG-17] removes images once their hour and what they are kept for is over, and no token of them can hold', async () => {
    const first = await keepAt(noonMs)
    const last = await keepAt(noonMs + hourMs - 1)
    const next = await keepAt(noonMs + hourMs)
    expect(await purgeAt(noonMs + 2 * hourMs - 1)).toBe(0)
    expect(await purgeAt(noonMs + 2 * hourMs)).toBe(2)
    expect([await blobs.head(first), await blobs.head(last)]).toEqual([null, null])
    expect(await blobs.head(next)).not.toBeNull()
    expect(await purgeAt(noonMs + 3 * hourMs)).toBe(1)
    expect(await readdir(join(folder, 'images'))).toEqual([])
  })

  it('works a backlog off in batches, the oldest first, and leaves other blobs alone', async () => {
    for (let hour = 0; hour < 5; hour += 1) for (let each = 0; each < 4; each += 1) await keepAt(noonMs + hour * hourMs)
    await blobs.put('videos/2020-01-01-00/a', { bytes: Buffer.from('x'), byteCount: 1, contentType: 'video/mp4' })
    expect(await purgeAt(noonMs + 48 * hourMs, 6)).toBe(6)
    expect((await blobs.list('images/', 1))[0]).toContain('2026-11-15-13/')
    expect(await Promise.all([purgeAt(noonMs + 48 * hourMs), purgeAt(noonMs + 48 * hourMs)])).toContain(14)
    expect(await blobs.list('images/', 10)).toEqual([])
    expect(await blobs.list('videos/', 10)).toHaveLength(1)
  })
})
