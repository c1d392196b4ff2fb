import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { BlobStore, OpenBlob } from '#ports/blob-store.ts'

/** The contract of every blob store. */
export function blobStoreContract(store: () => BlobStore): void {
  bytesContract(store)
  keysContract(store)
}

const large = randomBytes(3_000_000)
const png = { bytes: large, byteCount: large.length, contentType: 'image/png' }

let prefixes = 0

/** Each test has its own prefix. */
function freshPrefix(): string {
  prefixes += 1
  return `contract-${prefixes}/2026-11-15-08`
}

function bytesContract(store: () => BlobStore): void {
  it('[IMG-16] gives back the bytes and the content type that were put in', async () => {
    const key = `${freshPrefix()}/a`
    await store().put(key, png)
    expect(await store().head(key)).toEqual({ byteCount: large.length, contentType: 'image/png' })
    const found = await store().open(key)
    expect(found).toMatchObject({ byteCount: large.length, contentType: 'image/png' })
    expect((await readBlob(found)).equals(large)).toBe(true)
  })

  it('takes bytes that come in pieces', async () => {
    const key = `${freshPrefix()}/a`
    await store().put(key, { ...png, bytes: inPieces(large, 70_001), contentType: 'image/webp' })
    expect((await readBlob(await store().open(key))).equals(large)).toBe(true)
    expect(await store().head(key)).toEqual({ byteCount: large.length, contentType: 'image/webp' })
  })

  it.each([-1, 1])('refuses bytes that are not as many as was said (%i)', async (difference) => {
    const key = `${freshPrefix()}/a`
    const byteCount = large.length - difference
    await expect(store().put(key, { ...png, bytes: inPieces(large, 70_001), byteCount })).rejects.toThrow()
  })

  it('refuses bytes that break off', async () => {
    const key = `${freshPrefix()}/a`
    await expect(store().put(key, { ...png, bytes: brokenAfter(large.subarray(0, 500_000)) })).rejects.toThrow()
  })

  it('gives parts of a blob, with the size of the whole', async () => {
    const key = `${freshPrefix()}/a`
    await store().put(key, png)
    for (const [first, last] of [
      [1, 1],
      [1, 99],
      [0, large.length - 1],
      [large.length - 1, large.length - 1],
      [65_535, 200_000],
    ] as const) {
      const found = await store().open(key, { first, last })
      expect(found?.byteCount).toBe(large.length)
      expect((await readBlob(found)).equals(large.subarray(first, last + 1))).toBe(true)
    }
  })
}

function keysContract(store: () => BlobStore): void {
  it('says null of what is not there, and removes it without fault', async () => {
    const key = `${freshPrefix()}/a`
    expect(await store().head(key)).toBeNull()
    expect(await store().open(key)).toBeNull()
    expect(await store().open(key, { first: 0, last: 9 })).toBeNull()
    await store().remove(key)
    expect(await store().list(key, 10)).toEqual([])
  })

  it('removes what is there, and takes a new blob in its place', async () => {
    const key = `${freshPrefix()}/a`
    await store().put(key, png)
    await store().remove(key)
    expect(await store().open(key)).toBeNull()
    await store().put(key, { bytes: Buffer.from('two'), byteCount: 3, contentType: 'image/gif' })
    await store().put(key, { bytes: Buffer.from('three'), byteCount: 5, contentType: 'image/gif' })
    expect((await readBlob(await store().open(key))).toString()).toBe('three')
  })

  it('lists keys by prefix, in order, as many as are wanted', async () => {
    const top = freshPrefix().split('/')[0]
    const keys = ['2026-11-15-09/b', '2026-11-15-08/c', '2026-11-15-08/a', '2025-01-01-00/z'].map(
      (rest) => `${top}/${rest}`,
    )
    for (const key of keys) await store().put(key, { bytes: Buffer.from('x'), byteCount: 1, contentType: 'image/png' })
    const inOrder = keys.toSorted()
    expect(await store().list(`${top}/`, 10)).toEqual(inOrder)
    expect(await store().list(`${top}/`, 2)).toEqual(inOrder.slice(0, 2))
    expect(await store().list(`${top}/2026-11-15-08/`, 10)).toEqual(inOrder.slice(1, 3))
    expect(await store().list(`${top}/2026-11`, 10)).toEqual(inOrder.slice(1))
    expect(await store().list(`${top}/2027`, 10)).toEqual([])
  })

  it.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.b', 'a\\b', 'A', 'a b', 'a\0', `${'a/'.repeat(150)}a`])(
    'takes no key that we do not make: %j',
    async (key) => {
      await expect(store().put(key, png)).rejects.toThrow('a blob key must be')
      await expect(store().open(key)).rejects.toThrow('a blob key must be')
      await expect(store().head(key)).rejects.toThrow('a blob key must be')
      await expect(store().remove(key)).rejects.toThrow('a blob key must be')
    },
  )
}

export async function readBlob(blob: OpenBlob | null): Promise<Buffer> {
  if (blob === null) throw new Error('there is no such blob')
  const pieces: Buffer[] = []
  for await (const piece of blob.bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function* brokenAfter(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
  throw new Error('broken off')
}
