import { join } from 'node:path'

export const clientsFolder = join(import.meta.dirname, 'clients')

/** Every client that is run. `isHeavy`: only with `--all`. */
export interface ClientProgram {
  readonly name: string
  /** In the clients' folder; prints a line of JSON for each case. */
  readonly file: string
  readonly isHeavy: boolean
}

export const clientPrograms: readonly ClientProgram[] = [
  { name: 'openai 7.53', file: 'openai-js.mjs', isHeavy: false },
  { name: 'ai 7 with openai-compatible 3', file: 'ai-sdk.mjs', isHeavy: false },
]
