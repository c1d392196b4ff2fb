import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJsonObject } from '#lib/json.ts'

export type FindingKind = 'threw' | 'stalled' | 'hung' | 'grew' | 'died'

/** A fault and the input that causes it. */
export interface Finding {
  readonly target: string
  readonly kind: FindingKind
  readonly message: string
  readonly input: Buffer
}

const findingsFolder = join(import.meta.dirname, '../../../.weir/fuzz')

/** Returns the path for `--replay`. */
export function writeFinding({ target, kind, message, input }: Finding): string {
  mkdirSync(findingsFolder, { recursive: true })
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 10)
  const path = join(findingsFolder, `${target}-${kind}-${digest}.json`)
  const shown = input.toString('utf8').slice(0, 2_000)
  writeFileSync(path, `${JSON.stringify({ target, kind, message, shown, input: input.toString('base64') }, null, 2)}\n`)
  return path
}

export function readFinding(path: string): { target: string; grew: boolean; input: Buffer } {
  const { target, kind, input } = parseJsonObject(readFileSync(path, 'utf8')) ?? {}
  if (typeof target !== 'string' || typeof input !== 'string') throw new Error(`${path} holds no finding`)
  return { target, grew: kind === 'grew', input: Buffer.from(input, 'base64') }
}
