import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Principal } from '#domain/access/principal.ts'
import type { BatchError, BatchLine, PricedLine } from '#domain/batches/batch.ts'
import { effectiveLimit, type StandingLimit } from '#domain/limits/effective-limit.ts'
import { limitedWindows, scopeOf } from '#domain/limits/scopes.ts'
import { formatUsd, nanoUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ClaimedBatch, PromisedSpend } from '#ports/batches.ts'
import type { OpenFile } from '#ports/files.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import type { WorstCase } from '#pipeline/worst-case.ts'
import { type LineEndpoint, lineArrival } from './line-arrival.ts'
import { isProblem, parseLine } from './parse-line.ts'
import { splitLines } from './split-lines.ts'

export interface ValidateDeps {
  readonly worstCase: WorstCase
  readonly readTaken: KeyLimitReads['readTaken']
  readonly linesMax: number
  readonly lineBytesMax: number
  readonly nowMs: () => number
}

export interface Validation {
  readonly lines: readonly PricedLine[]
  /** Why the batch cannot run. Empty if it can. */
  readonly errors: readonly BatchError[]
}

interface Validated {
  readonly batch: ClaimedBatch
  readonly endpoint: LineEndpoint
  readonly file: OpenFile
  readonly principal: Principal
  readonly promised: PromisedSpend
}

const errorsMax = 100

/** Checks every line before the first one runs, and that all of them together fit the wallet and the budgets. */
export async function validateBatch(deps: ValidateDeps, validated: Validated): Promise<Validation> {
  const { batch, endpoint, file, principal } = validated
  const { linesMax, lineBytesMax: bytesMax } = deps
  const lines: PricedLine[] = []
  const errors: BatchError[] = []
  const customIds = new Set<string>()
  for await (const { line, firstByte, bytes } of splitLines(file.chunks(), bytesMax)) {
    if (lines.length === linesMax) {
      return { lines: [], errors: [failure('too_many_requests', `A batch can have at most ${linesMax} lines.`)] }
    }
    const parsed = parseLine(bytes, { endpoint: endpoint.path, bytesMax })
    if (isProblem(parsed)) errors.push({ ...parsed, line })
    else if (customIds.has(parsed.customId)) errors.push(duplicate(parsed.customId, line))
    else {
      customIds.add(parsed.customId)
      const read = { line, customId: parsed.customId, firstByte, byteCount: bytes.length }
      const body = parsed.body
      lines.push({ ...read, worst: await worstOf(deps, { batch, endpoint, principal, line: read, body }) })
    }
    if (errors.length === errorsMax) return { lines, errors }
    // Thousands of lines must not delay the clients of this gateway.
    await nextTurn()
  }
  if (errors.length > 0) return { lines, errors }
  if (lines.length === 0) return { lines, errors: [failure('empty_file', 'The input file has no lines.')] }
  return { lines, errors: await judgeCost(deps, validated, lines) }
}

/** This gateway cannot judge the request now. */
const unready: ReadonlySet<ErrorName> = new Set(['storeUnavailable', 'notReady', 'draining', 'overloaded', 'internal'])

/** A request that will be rejected costs nothing. Its line gets the error when it runs. */
async function worstOf(
  { worstCase, nowMs }: ValidateDeps,
  priced: { batch: ClaimedBatch; endpoint: LineEndpoint; principal: Principal; line: BatchLine; body: JsonObject },
): Promise<NanoUsd> {
  const { batch, endpoint, principal, line, body } = priced
  const { line: number, byteCount } = line
  const request = { batch, line: number, endpoint, body, byteCount, ownUrl: null, nowMs: nowMs() }
  try {
    return await worstCase(lineArrival(request), principal)
  } catch (error) {
    if (error instanceof GatewayError && !unready.has(error.errorName)) return zeroUsd
    throw error
  }
}

/**
 * Whether wallet and limits have room for the worst cost of all lines, beside what other batches of the wallet and of
 * the key may still spend. Breakers do not count, because they reset within the hour.
 */
async function judgeCost(
  { readTaken, nowMs }: ValidateDeps,
  { principal, promised }: Validated,
  lines: readonly PricedLine[],
): Promise<readonly BatchError[]> {
  const worst = lines.reduce((sum, line) => nanoUsd(sum + line.worst), zeroUsd)
  if (worst === zeroUsd) return []
  const now = nowMs()
  const taken = await readTaken(principal.walletId, limitedWindows(principal, now))
  const { limits } = effectiveLimit(principal, taken, now)
  return limits
    .filter(({ isBreaker }) => !isBreaker)
    .flatMap((limit) => {
      const left = nanoUsd(limit.left - (limit.kind === 'wallet' ? promised.wallet : promised.key))
      return left >= worst ? [] : [unaffordable(limit, { worst, left: left > 0n ? left : zeroUsd })]
    })
}

function unaffordable({ kind }: StandingLimit, { worst, left }: { worst: NanoUsd; left: NanoUsd }): BatchError {
  const scope = scopeOf(kind)
  const name = scope?.title ?? 'balance'
  const { code } = errorCatalogue[scope?.refusal ?? 'insufficientCredits']
  return failure(
    String(code),
    `The batch can cost up to $${formatUsd(worst)}, but only $${formatUsd(left)} of the ${name} is left. Lower the maximum output of its lines, or split the batch.`,
  )
}

function duplicate(customId: string, line: number): BatchError {
  return {
    code: 'duplicate_custom_id',
    message: `The custom_id ${customId} was used by an earlier line. Each line needs its own.`,
    line,
    param: 'custom_id',
  }
}

export function failure(code: string, message: string): BatchError {
  return { code, message, line: null, param: null }
}
