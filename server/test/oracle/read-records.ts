import { readFileSync } from 'node:fs'

/**
 * The origin of a recorded field.
 *
 * - `upstream`: what the upstream said.
 * - `both`: the same, and the client was told so.
 * - `clock`: a moment between what the upstream did and what the client saw of it.
 * - `none`: there is nothing: null, or zero where it is a count or an amount.
 */
type Origin = 'upstream' | 'both' | 'clock' | 'none'

export interface ExpectedRecord {
  readonly request: string
  readonly outcome: string
  readonly status: Origin
  readonly finish: Origin
  readonly nativeFinish: Origin
  readonly firstToken: Origin
  readonly tokens: Origin
  readonly cost: Origin
  /** Null if the request was charged. */
  readonly refundReason: string | null
  readonly streamed: boolean
  readonly cancelled: boolean
  readonly isByok: boolean
  readonly isFailover: boolean
}

/** The stored data of each kind of request by its outcome, written by hand from the contract. */
export function readRecords(): readonly ExpectedRecord[] {
  const text = readFileSync(new URL('./records.tsv', import.meta.url), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map(parseLine)
}

export function expectedOf(request: string, outcome: string): ExpectedRecord {
  const found = readRecords().find((row) => row.request === request && row.outcome === outcome)
  if (found === undefined) throw new Error(`no row of ${request}, ${outcome}`)
  return found
}

function parseLine(line: string): ExpectedRecord {
  const [request = '', outcome = '', ...words] = line.split('\t')
  const [status, finish, nativeFinish, firstToken, tokens, cost, refundReason = '', ...answers] = words
  const [streamed, cancelled, isByok, isFailover] = answers
  return {
    request,
    outcome,
    status: originOf(status, line),
    finish: originOf(finish, line),
    nativeFinish: originOf(nativeFinish, line),
    firstToken: originOf(firstToken, line),
    tokens: originOf(tokens, line),
    cost: originOf(cost, line),
    refundReason: refundReason === 'none' ? null : refundReason,
    streamed: isYes(streamed, line),
    cancelled: isYes(cancelled, line),
    isByok: isYes(isByok, line),
    isFailover: isYes(isFailover, line),
  }
}

const origins: readonly Origin[] = ['upstream', 'both', 'clock', 'none']

function originOf(word: string | undefined, line: string): Origin {
  const found = origins.find((origin) => origin === word)
  if (found === undefined) throw new Error(`not one of ${origins.join(', ')}: ${word} in ${line}`)
  return found
}

function isYes(word: string | undefined, line: string): boolean {
  if (word !== 'yes' && word !== 'no') throw new Error(`neither yes nor no: ${word} in ${line}`)
  return word === 'yes'
}
