import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzTarget } from '../target.ts'

const folder = join(import.meta.dirname, '../corpus')

/** The seeds of a target in the repository, in the order of their names. */
export function readCorpus({ name, corpus = name }: FuzzTarget): Buffer[] {
  const seeds = join(folder, corpus)
  if (!existsSync(seeds)) throw new Error(`there are no seeds in ${seeds}`)
  return readdirSync(seeds)
    .sort()
    .map((file) => readFileSync(join(seeds, file)))
}

/** Adds an input to the seeds; only small inputs, because people read them. */
export function keepInCorpus({ name, corpus = name }: FuzzTarget, input: Buffer): void {
  if (input.length > 2_048) return
  const seeds = join(folder, corpus)
  mkdirSync(seeds, { recursive: true })
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 12)
  writeFileSync(join(seeds, `reached-${digest}`), input)
}
