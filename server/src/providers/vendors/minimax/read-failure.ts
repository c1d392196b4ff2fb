import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { minimaxFailure } from '#providers/vendors/minimax/minimax-failure.ts'
import { judgeChunkFailure, readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { Exchange } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { jsonOf } from '#providers/codecs/media-request.ts'

/** The number in `base_resp`, if present, says more than the status. */
export function readMinimaxFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const verdict = minimaxFailure(parseJsonObject(bodyText) ?? {})
  return verdict === undefined ? readFailure(status, headers, bodyText) : { ...judgeChunkFailure(verdict), status }
}

/** A response whose `base_resp` is also successful. Most rejections come with status 200. */
export function minimaxAnswer(exchange: Exchange): JsonObject {
  const answer = jsonOf(exchange, readMinimaxFailure)
  const verdict = minimaxFailure(answer)
  if (verdict !== undefined) throw new UpstreamRefusedError(judgeChunkFailure(verdict))
  return answer
}

/** The response to a job query, or null if there is no such job, in any of the formats. */
export function minimaxJob(exchange: Exchange): JsonObject | null {
  const answer = parseJsonObject(exchange.body.toString('utf8'))
  if (answer === undefined) return minimaxAnswer(exchange)
  const isMissing = exchange.status === 404 || exchange.status === 410
  if (isMissing || missingText.test(minimaxFailure(answer)?.message ?? '')) return null
  // A failed job states its reason in the same field as rejections.
  return answer.status === 'Fail' ? answer : minimaxAnswer(exchange)
}

const missingText = /\btask\b.*\bnot (?:found|exist)|\bno such task/i
