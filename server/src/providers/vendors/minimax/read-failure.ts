import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { minimaxFailure } from '#providers/vendors/minimax/minimax-failure.ts'
import { judgeChunkFailure, readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { Exchange } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { jsonOf } from '#providers/codecs/media-request.ts'

/** The number in `base_resp` says more than the status, where there is one. */
export function readMinimaxFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const verdict = minimaxFailure(parseJsonObject(bodyText) ?? {})
  return verdict === undefined ? readFailure(status, headers, bodyText) : { ...judgeChunkFailure(verdict), status }
}

/** An answer whose verdict is good as well; most refusals come with status 200. */
export function minimaxAnswer(exchange: Exchange): JsonObject {
  const answer = jsonOf(exchange, readMinimaxFailure)
  const verdict = minimaxFailure(answer)
  if (verdict !== undefined) throw new UpstreamRefusedError(judgeChunkFailure(verdict))
  return answer
}

/** The answer of a question about a job; null where it says that there is none, in whichever way. */
export function minimaxJob(exchange: Exchange): JsonObject | null {
  const answer = parseJsonObject(exchange.body.toString('utf8'))
  if (answer === undefined) return minimaxAnswer(exchange)
  const isMissing = exchange.status === 404 || exchange.status === 410
  if (isMissing || missingText.test(minimaxFailure(answer)?.message ?? '')) return null
  // A job that failed has its reason where refusals have theirs.
  return answer.status === 'Fail' ? answer : minimaxAnswer(exchange)
}

const missingText = /\btask\b.*\bnot (?:found|exist)|\bno such task/i
