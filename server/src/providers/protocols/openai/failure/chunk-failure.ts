import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'
import { finishReasonOf } from '../answer/finish-reason.ts'

/**
 * A failure inside a response with status 200, in any of the forms that upstreams use. It must run before a chunk is
 * normalized. Clients take a bare finish reason of `error` for the end of the text, so it counts as a failure too.
 */
export function chunkFailure(chunk: JsonObject, quirks: OpenAiQuirks): UpstreamFailureText | undefined {
  return failureAt(chunk) ?? quirks.findFailure?.(chunk) ?? choiceFailure(chunk, quirks)
}

const unexplained = 'The upstream ended the response with an error.'

function failureAt(holder: JsonObject): UpstreamFailureText | undefined {
  const { error } = holder
  if (typeof error === 'string' && error !== '') return upstreamFailure(error)
  if (isJsonObject(error)) return failureText(error, holder)
  // Some upstreams send the error object itself, identified by its kind.
  return holder.object === 'error' ? failureText(holder, holder) : undefined
}

function failureText(error: JsonObject, holder: JsonObject): UpstreamFailureText {
  const message = stringAt(error, 'message') || unexplained
  const metadata = isJsonObject(error.metadata) ? error.metadata : {}
  const code = [error.code, metadata.error_type, error.type, holder.status_code].find(isCode)
  return upstreamFailure(message, code)
}

function isCode(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

function choiceFailure(chunk: JsonObject, quirks: OpenAiQuirks): UpstreamFailureText | undefined {
  if (!Array.isArray(chunk.choices)) return undefined
  for (const choice of chunk.choices) {
    if (!isJsonObject(choice)) continue
    // Some upstreams report the error of a choice without a finish reason, or with a good one.
    const failure = failureAt(choice)
    if (failure !== undefined) return failure
    const reason = choice.finish_reason
    if (typeof reason !== 'string' || reason === '') continue
    if (finishReasonOf(reason, quirks) === 'error') return upstreamFailure(unexplained, reason)
  }
  return undefined
}
