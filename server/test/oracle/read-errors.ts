import { readFileSync } from 'node:fs'
import { inferences } from './every-call.ts'

/** The contract for a request that cannot be served. `null` promises nothing. */
export interface ExpectedError {
  readonly situation: string
  readonly endpoints: readonly string[]
  readonly status: number
  /** A word, or the status if there is no specific remedy. */
  readonly code: string | number
  readonly type: string | null
  readonly retryAfter: string | null
  readonly hasRateHeaders: boolean | null
  readonly shouldRetry: 'false' | 'none' | null
  /** The clauses that promise it, as test titles cite them. */
  readonly cited: string
}

/** The errors of the contract, written by hand: nothing here comes from the code's own error catalogue. */
export function readErrors(): ExpectedError[] {
  const text = readFileSync(new URL('./errors.tsv', import.meta.url), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map(parseLine)
}

function parseLine(line: string): ExpectedError {
  const fields = line.split('\t')
  const [situation = '', endpoints = '', status = '', code = '', type, retryAfter, rate, shouldRetry, clauses] = fields
  if (clauses === undefined || fields.length !== 9) throw new Error(`not nine fields: ${line}`)
  return {
    situation,
    endpoints: endpoints === 'every' ? inferences : endpoints.split(' '),
    status: Number(status),
    code: /^\d+$/.test(code) ? Number(code) : code,
    type: stated(type),
    retryAfter: stated(retryAfter),
    hasRateHeaders: flag(stated(rate), line),
    shouldRetry: retryWord(stated(shouldRetry), line),
    cited: clauses
      .split(' ')
      .map((clause) => `[${clause}]`)
      .join(' '),
  }
}

function stated(field: string | undefined): string | null {
  return field === undefined || field === '-' ? null : field
}

function flag(word: string | null, line: string): boolean | null {
  if (word === null) return null
  if (word !== 'yes' && word !== 'no') throw new Error(`neither yes nor no: ${line}`)
  return word === 'yes'
}

function retryWord(word: string | null, line: string): ExpectedError['shouldRetry'] {
  if (word === null || word === 'false' || word === 'none') return word
  throw new Error(`no word about retries: ${line}`)
}
