import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assert } from '#lib/assert.ts'
import type { BlobContent, BlobHead, BlobStore } from '#ports/blob-store.ts'
import { assertBlobKey, isBlobKey } from './blob-key.ts'

/**
 * Blobs in a folder of this machine, one file each. A file begins with a label that states its content type, so that
 * both appear in one rename. Nothing is synced to the disk: a blob that a power failure has emptied has no label and
 * counts as missing.
 */
export function createFileBlobs(folder: string): BlobStore {
  const incoming = join(folder, '.incoming')
  let prepared: Promise<void> | null = null
  const pathOf = (key: string): string => {
    assertBlobKey(key)
    return join(folder, key)
  }
  return {
    async put(key, content) {
      const path = pathOf(key)
      const draft = join(incoming, randomUUID())
      prepared ??= prepare(incoming)
      await prepared.catch((error: unknown) => {
        prepared = null
        throw error
      })
      try {
        await writeDraft(draft, content)
        await moveInto(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async open(key, range) {
      const handle = await openIfThere(pathOf(key))
      if (handle === null) return null
      const head = await headOf(handle)
      if (head === null) {
        await handle.close()
        return null
      }
      // The stream closes the file at the end or when it is destroyed.
      const bytes = handle.createReadStream({
        start: labelBytes + (range?.first ?? 0),
        ...(range === undefined ? {} : { end: labelBytes + range.last }),
      })
      return { ...head, bytes }
    },
    async head(key) {
      const handle = await openIfThere(pathOf(key))
      if (handle === null) return null
      return headOf(handle).finally(() => handle.close())
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      // A folder is removed with its last blob. It is not empty if another writer has just added one.
      await rmdir(dirname(path)).catch(() => {})
    },
    async list(prefix, limit) {
      const keys: string[] = []
      for await (const key of walk(folder, '', prefix)) {
        if (keys.push(key) >= limit) break
      }
      return keys
    },
    close: async () => {},
  }
}

// Other processes share the folder, and no blob takes an hour to write.
const leftoverAgeMs = 3_600_000

/** Creates the folder of drafts and removes drafts that killed processes left in it. */
async function prepare(incoming: string): Promise<void> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(path, { force: true })
  }
}

async function writeDraft(path: string, { bytes, byteCount, contentType }: BlobContent): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(labelFor(contentType))
    let written = 0
    for await (const piece of Buffer.isBuffer(bytes) ? [bytes] : bytes) {
      written += piece.length
      await handle.writeFile(piece)
    }
    if (written !== byteCount) throw new Error(`a blob announced with ${byteCount} bytes has ${written}`)
  } finally {
    await handle.close()
  }
}

async function moveInto(draft: string, path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(dirname(path), { recursive: true })
    try {
      return await rename(draft, path)
    } catch (error) {
      // The folder was removed in between, together with its last blob.
      if (!isMissing(error) || attempt === 3) throw error
    }
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

async function headOf(handle: FileHandle): Promise<BlobHead | null> {
  const { size } = await handle.stat()
  const label = Buffer.alloc(labelBytes)
  await handle.read(label, 0, labelBytes, 0)
  const contentType = readLabel(label)
  return contentType === null ? null : { byteCount: size - labelBytes, contentType }
}

/** Lists keys in character order. A folder sorts with a slash after its name. */
async function* walk(folder: string, path: string, prefix: string): AsyncGenerator<string> {
  const found = await readdir(join(folder, path), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const names = found.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  for (const name of names) {
    const key = path + name
    const leads = key.startsWith(prefix) || (key.endsWith('/') && prefix.startsWith(key))
    if (!leads || !isBlobKey(key.replace(/\/$/, ''))) continue
    if (key.endsWith('/')) yield* walk(folder, key, prefix)
    else yield key
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Length of the label at the start of a blob's file: the content type, padded. */
const labelBytes = 128

const mark = 'weir-blob 1 '

function labelFor(contentType: string): Buffer {
  assert(/^[!-~]{1,100}$/.test(contentType), 'a blob content type must be short and plain')
  return Buffer.from(`${`${mark}${contentType}`.padEnd(labelBytes - 1)}\n`, 'latin1')
}

/** Returns the content type, or null if it is not a label. */
function readLabel(label: Buffer): string | null {
  const text = label.toString('latin1')
  return text.startsWith(mark) && text.endsWith('\n') ? text.slice(mark.length).trim() : null
}
