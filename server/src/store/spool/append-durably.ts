import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Appends to a file, which is made where it is missing; resolves when the text would survive a power failure. */
export async function appendDurably(path: string, text: string | Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const file = await open(path, 'a')
  try {
    // The name goes to disk before the first byte. A write that failed halfway leaves a file that no longer looks new, and the
    // next text would be durable in a file that a power failure may take away.
    if ((await file.stat()).size === 0) await syncFolder(folder)
    // Unlike `write`, this goes on until every byte is written.
    await file.appendFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
}

// A new file is only found again if its name has reached the disk as well.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
