import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '#ports/blob-store.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { blobStoreContract, readBlob } from './blob-contract.ts'

describe('blobs in a folder', () => {
  let folder: string
  let store: BlobStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-blobs-'))
    store = createFileBlobs(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  blobStoreContract(() => store)

  const gif = { bytes: Buffer.from('GIF89a'), byteCount: 6, contentType: 'image/gif' }

  it('leaves no draft behind and nothing for others to read', async () => {
    await store.put('modes/a', gif)
    expect(await readdir(join(folder, '.incoming'))).toEqual([])
    expect((await stat(join(folder, 'modes/a'))).mode & 0o077).toBe(0)
  })

  it('has nothing at all of bytes that broke off', async () => {
    const broken = (async function* () {
      yield Buffer.from('GIF')
      throw new Error('broken off')
    })()
    await expect(store.put('broken/a', { ...gif, bytes: broken })).rejects.toThrow('broken off')
    expect(await store.open('broken/a')).toBeNull()
    expect(await readdir(join(folder, '.incoming'))).toEqual([])
  })

  it('keeps one writer whole, also where another writes the same blob meanwhile', async () => {
    const [slow, quick] = [1, 2].map((byte) => Buffer.alloc(200_000, byte))
    if (slow === undefined || quick === undefined) throw new Error('no bytes')
    const half = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const inHalves = (async function* () {
      yield slow.subarray(0, 100_000)
      half.resolve()
      await rest.promise
      yield slow.subarray(100_000)
    })()
    const kept = async () => readBlob(await store.open('raced/a'))
    const writing = store.put('raced/a', { bytes: inHalves, byteCount: slow.length, contentType: 'image/gif' })
    await half.promise
    await store.put('raced/a', { bytes: quick, byteCount: quick.length, contentType: 'image/gif' })
    expect((await kept()).equals(quick)).toBe(true)
    rest.resolve()
    await writing
    expect((await kept()).equals(slow)).toBe(true)
  })

  it('lets one of many writers at once win, whole', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, index + 1))
    await Promise.all(
      contents.map((bytes) => store.put('raced/b', { bytes, byteCount: bytes.length, contentType: 'image/png' })),
    )
    const kept = await readBlob(await store.open('raced/b'))
    expect(contents.some((bytes) => bytes.equals(kept))).toBe(true)
  })

  it('gives the first byte alone', async () => {
    await store.put('first/a', gif)
    const found = await store.open('first/a', { first: 0, last: 0 })
    const pieces: Buffer[] = []
    for await (const piece of found?.bytes ?? []) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe('G')
  })

  it('takes a folder away with its last blob', async () => {
    await store.put('emptied/hour/a', gif)
    await store.put('emptied/hour/b', gif)
    await store.remove('emptied/hour/a')
    expect(await readdir(join(folder, 'emptied'))).toEqual(['hour'])
    await store.remove('emptied/hour/b')
    expect(await readdir(join(folder, 'emptied'))).toEqual([])
  })

  it('writes and removes in one folder at once without losing either', async () => {
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        await store.put(`busy/hour/${index}`, gif)
        if (index % 2 === 0) await store.remove(`busy/hour/${index}`)
      }),
    )
    expect((await store.list('busy/', 1_000)).length).toBe(100)
  })

  it('takes a file that a power failure has emptied for none', async () => {
    await store.put('cut/a', gif)
    await truncate(join(folder, 'cut/a'), 0)
    expect(await store.head('cut/a')).toBeNull()
    expect(await store.open('cut/a')).toBeNull()
  })

  it('clears away drafts of killed processes, but not those that are being written', async () => {
    const place = await mkdtemp(join(tmpdir(), 'weir-blobs-'))
    await mkdir(join(place, '.incoming'))
    await writeFile(join(place, '.incoming', 'old'), 'x')
    await writeFile(join(place, '.incoming', 'new'), 'x')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(place, '.incoming', 'old'), longAgo, longAgo)
    await createFileBlobs(place).put('a', gif)
    expect(await readdir(join(place, '.incoming'))).toEqual(['new'])
    await rm(place, { recursive: true })
  })
})
