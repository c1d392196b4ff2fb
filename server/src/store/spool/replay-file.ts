import { readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettleEntry } from '#ports/money.ts'
import { appendDurably } from './append-durably.ts'
import { parseSpoolLine } from './spool-line.ts'

export interface ReplayOptions {
  folder: string
  settle: (entries: SettleEntry[]) => Promise<unknown>
  /** Whether a failure is permanent. If so, the line is set aside. */
  isFinal: (error: unknown) => boolean
  onRejected: (line: string, error: unknown) => void
}

const batchMax = 200

/**
 * Settles the lines of a file, then deletes the file. Returns the number of lines. A transient failure leaves the file
 * unchanged.
 */
export async function replayFile(path: string, options: ReplayOptions): Promise<number> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  for (let start = 0; start < lines.length; start += batchMax) {
    await replayLines(lines.slice(start, start + batchMax), options)
  }
  await unlink(path)
  return lines.length
}

async function replayLines(lines: readonly string[], options: ReplayOptions): Promise<void> {
  const entries = lines.map(parseSpoolLine)
  try {
    await options.settle(entries.filter((entry) => entry !== undefined))
  } catch (error) {
    if (!options.isFinal(error)) throw error
    if (lines.length === 1) return reject(lines[0] ?? '', error, options)
    for (const line of lines) await replayLines([line], options)
    return
  }
  for (const [position, entry] of entries.entries()) {
    if (entry === undefined) await reject(lines[position] ?? '', new Error('not a settlement'), options)
  }
}

async function reject(line: string, error: unknown, options: ReplayOptions): Promise<void> {
  await appendDurably(join(options.folder, 'rejected.ndjson'), `${line}\n`)
  options.onRejected(line, error)
}
