import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attempt } from './attempt.ts'

export type Entry =
  /** A test and the mutants it ran with. The list is empty if the test does not pass twice in a row. */
  | { readonly kind: 'test'; readonly file: string; readonly test: string; readonly attempts: readonly Attempt[] }
  /** A file that finished. */
  | { readonly kind: 'file'; readonly file: string; readonly reachedOutside: readonly string[] }
  /** A mutant whose process hung and was killed. */
  | { readonly kind: 'hung'; readonly file: string; readonly id: string }

/** The current work of the process, which is read when the process hangs. */
export interface Now {
  readonly pid: number
  readonly id: string | null
  readonly file: string
  readonly atMs: number
}

/** Each process writes its own journal and reads all journals. */
export function openJournal(folder: string): Journal {
  const path = join(folder, `${process.pid}.jsonl`)
  const nowPath = join(folder, `${process.pid}.now`)
  return {
    write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
    writeNow: (id, file) => writeFileSync(nowPath, JSON.stringify({ pid: process.pid, id, file, atMs: Date.now() })),
    readDead: () => deadOf(readEntries(folder)),
    readTried: () =>
      new Set(readEntries(folder).flatMap((entry) => (entry.kind === 'test' ? [keyOf(entry.file, entry.test)] : []))),
  }
}

interface Journal {
  write(entry: Entry): void
  /** Null between mutants. */
  writeNow(id: string | null, file: string): void
  readDead(): Set<string>
  /** Keys of the tests. */
  readTried(): Set<string>
}

export function keyOf(file: string, test: string): string {
  return `${file}\n${test}`
}

export function readEntries(folder: string): Entry[] {
  return filesOf(folder, '.jsonl').flatMap((text) =>
    text
      .split('\n')
      // The last line may be incomplete if its process died while writing it.
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Entry),
  )
}

export function readNow(folder: string): Now[] {
  return filesOf(folder, '.now').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Now]))
}

export function deadOf(entries: readonly Entry[]): Set<string> {
  const dead = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'hung') dead.add(entry.id)
    if (entry.kind !== 'test') continue
    for (const { id, hasDied } of entry.attempts) if (hasDied) dead.add(id)
  }
  return dead
}

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}
