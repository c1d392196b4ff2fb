import { readFileSync, statSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** The text of a file that the operator has named. */
export function readTextFile(path: string, { what, check = '' }: { what: string; check?: string }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new StartError(`${what} ${path} can't be read (${code}).${check}`, { cause })
  }
}

/** The same of a file that may be of any size: one that is too large is refused before it is read. */
export function readTextUpTo(path: string, bytesMax: number): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > bytesMax) throw new StartError(`The file ${path} is larger than ${bytesMax} bytes.`)
  return readTextFile(path, { what: 'The file' })
}
