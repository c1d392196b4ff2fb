import { readFileSync, statSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** Reads a file that the operator named. */
export function readTextFile(path: string, { what, check = '' }: { what: string; check?: string }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new StartError(`${what} ${path} can't be read (${code}).${check}`, { cause })
  }
}

/** Reads a file up to a size limit. It rejects a larger file before reading it. */
export function readTextUpTo(path: string, bytesMax: number): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > bytesMax) throw new StartError(`The file ${path} is larger than ${bytesMax} bytes.`)
  return readTextFile(path, { what: 'The file' })
}
