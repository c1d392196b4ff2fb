import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Appends to a file, and creates it if it is missing. Resolves to true once the text would survive a power failure, and
 * to false if another process renamed or deleted the file meanwhile and may have read it before the text was written.
 */
export async function appendDurably(path: string, text: string | Uint8Array): Promise<boolean> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const file = await open(path, 'a')
  try {
    // The name is synced before the first byte. A write that failed halfway leaves a file that no longer looks new, and
    // the next text would be durable in a file whose name a power failure may remove.
    if ((await file.stat()).size === 0) await syncFolder(folder)
    // Unlike `write`, this continues until every byte is written.
    await file.appendFile(text)
    await file.datasync()
    return (await inodeOf(path)) === (await file.stat()).ino
  } finally {
    await file.close()
  }
}

async function inodeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ ino }) => ino,
    () => null,
  )
}

// A new file survives a power failure only if its name is synced too.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
