import { readFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** The text of a file that the operator has named. */
export function readTextFile(path: string, { what, check = '' }: { what: string; check?: string }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new StartError(`${what} ${path} cannot be read (${code}).${check}`, { cause })
  }
}
