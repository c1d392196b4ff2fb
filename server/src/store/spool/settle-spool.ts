import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Batcher } from '#lib/batcher.ts'
import type { SettleEntry } from '#ports/money.ts'
import { appendDurably } from './append-durably.ts'
import { replayFile, type ReplayOptions } from './replay-file.ts'
import { spoolLine } from './spool-line.ts'

/**
 * Settles that Postgres could not take in time, as lines in a file that is synced before the client gets its response.
 * They are replayed when Postgres is back, or by the next process on this machine if this one dies. Replaying is safe
 * because a settle is idempotent.
 *
 * A file is `live` (its process appends to it), then `replaying` (renamed, being sent), then deleted. Lines that
 * Postgres rejects permanently are kept in a `rejected` file for an operator.
 */
export interface SettleSpool {
  append(entry: SettleEntry): Promise<void>
  /** Sends the waiting settles and returns how many were replayed. Throws while Postgres is unavailable. */
  replay(): Promise<number>
  /** Lines that this process appended and has not yet replayed. */
  readonly waiting: number
}

type SettleSpoolOptions = ReplayOptions

export function createSettleSpool(options: SettleSpoolOptions): SettleSpool {
  const { folder } = options
  const tag = processTag()
  const livePath = join(folder, `live-${tag}.ndjson`)
  let waiting = 0
  let replaying: Promise<number> | null = null
  let lastTurn: Promise<unknown> = Promise.resolve()

  // The live file is written or renamed, never both at once: a line written to a file that is already being sent would
  // be deleted with the file.
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(act, act)
    lastTurn = turn
    return turn
  }

  const batcher = new Batcher<SettleEntry, true>({
    send: async (entries) => {
      // The leading line break keeps a line that a full disk cut off from merging with the next one.
      await inTurn(() => appendInPlace(livePath, `\n${entries.map(spoolLine).join('')}`))
      waiting += entries.length
      return entries.map(() => true as const)
    },
    batchMax: 1_000,
    inFlightMax: 1,
    queueMax: 100_000,
    refusal: () => new Error('the spool is full'),
  })

  async function replayAll(): Promise<number> {
    await mkdir(folder, { recursive: true })
    let replayed = 0
    for (const name of await readdir(folder)) {
      const owner = /^(?:live|replaying)-(\d+-\w+?)(?:-\d+)?\.ndjson$/.exec(name)?.[1]
      if (owner === undefined || (owner !== tag && isProcessAlive(owner))) continue
      const path = join(folder, `replaying-${tag}-${process.hrtime.bigint()}.ndjson`)
      if (!(await inTurn(() => takeFile(join(folder, name), path)))) continue
      const sent = await replayFile(path, options)
      replayed += sent
      if (owner === tag) waiting = Math.max(0, waiting - sent)
    }
    return replayed
  }

  return {
    append: async (entry) => {
      await batcher.add(entry)
    },
    replay: () => {
      replaying ??= replayAll().finally(() => {
        replaying = null
      })
      return replaying
    },
    get waiting() {
      return waiting
    },
  }
}

/**
 * Containers that share the folder have separate process ids, so one may take another's process for dead and replay its
 * live file. The gateway then writes the text again: settling twice is harmless, losing a charge is not.
 */
async function appendInPlace(path: string, text: string): Promise<void> {
  for (let attempt = 0; attempt < appendsMax; attempt += 1) if (await appendDurably(path, text)) return
  throw new Error('another process took the spool file at every attempt to write it')
}

const appendsMax = 10

/** Returns false if another process took the dead process's file first. */
async function takeFile(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Identifies this process permanently: its id and its start time, because process ids are reused. */
export function processTag(): string {
  return `${process.pid}-${startOf(process.pid) ?? 'unknown'}`
}

function isProcessAlive(tag: string): boolean {
  const [pid, start] = tag.split('-')
  return startOf(Number(pid)) === start
}

// Field 22 of /proc/<pid>/stat. The command in field 2 may contain spaces, so counting starts after its closing
// bracket.
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
