import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Batcher } from '#lib/batcher.ts'
import type { SettleEntry } from '#ports/money.ts'
import { appendDurably } from './append-durably.ts'
import { replayFile, type ReplayOptions } from './replay-file.ts'
import { spoolLine } from './spool-line.ts'

/**
 * Settles that Postgres could not take in time, as lines in a file that is synced before the client hears of it. They
 * are replayed when Postgres is back, and by the next process on this machine if this one dies. Replaying is harmless,
 * for a settle is idempotent.
 *
 * A file is `live` (appended to by its process), `replaying` (renamed, being sent), then gone. Lines that Postgres
 * refuses for good are kept in a `rejected` file for a person to look at.
 */
export interface SettleSpool {
  append(entry: SettleEntry): Promise<void>
  /** Sends what is waiting; returns how many settles were replayed. Throws while Postgres is away. */
  replay(): Promise<number>
  /** Lines appended and not yet replayed, by this process. */
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
  // be deleted with it.
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(act, act)
    lastTurn = turn
    return turn
  }

  const batcher = new Batcher<SettleEntry, true>({
    send: async (entries) => {
      // A line that was torn by a full disk must not swallow the next one, hence the break before.
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

/** False: another process was quicker to take what a dead one left. */
async function takeFile(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Names this process for good: its id and when it started, because ids are used again. */
export function processTag(): string {
  return `${process.pid}-${startOf(process.pid) ?? 'unknown'}`
}

function isProcessAlive(tag: string): boolean {
  const [pid, start] = tag.split('-')
  return startOf(Number(pid)) === start
}

// Field 22 of /proc/<pid>/stat; the command in field 2 may contain spaces, so counting starts behind its bracket.
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
