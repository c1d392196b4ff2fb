import { disjointUsage, type Usage, withCachedAudio } from '#domain/inference/usage.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { openAiCounting } from '../spec.ts'

/** The end of a response, as its `response.done` states it. */
export interface RealtimeAnswer {
  /** Null if the upstream sent none. */
  readonly usage: Usage | null
  readonly finishReason: string | null
  readonly nativeFinishReason: string | null
}

export function readRealtimeAnswer(response: JsonObject): RealtimeAnswer {
  const status = stringAt(response, 'status') ?? null
  const reason = stringAt(objectAt(response, 'status_details'), 'reason')
  return { usage: usageOf(response.usage), finishReason: finishReasonOf(status, reason), nativeFinishReason: status }
}

function finishReasonOf(status: string | null, reason: string | undefined): string | null {
  switch (status) {
    case 'completed':
    case 'cancelled':
      return 'stop'
    case 'incomplete':
      return reason === 'content_filter' ? 'content_filter' : 'length'
    case 'failed':
      return 'error'
    default:
      return null
  }
}

/** Audio tokens that were read from the cache count as cached ones, in `cached_tokens` and its details. */
function usageOf(reported: JsonObject[string]): Usage | null {
  if (!isJsonObject(reported)) return null
  const [prompt, completion] = [countAt(reported, 'input_tokens'), countAt(reported, 'output_tokens')]
  if (prompt === undefined || completion === undefined) return null
  const [input, output] = [objectAt(reported, 'input_token_details'), objectAt(reported, 'output_token_details')]
  const cached = objectAt(input, 'cached_tokens_details')
  const cachedAudio = countAt(cached, 'audio_tokens') ?? 0
  const audioInput = Math.max(0, (countAt(input, 'audio_tokens') ?? 0) - cachedAudio)
  const cacheRead = Math.max(countAt(input, 'cached_tokens') ?? 0, cachedAudio)
  const audioOutput = countAt(output, 'audio_tokens') ?? 0
  const classes = disjointUsage({ prompt, completion, cacheRead, audioInput, audioOutput }, openAiCounting)
  return withCachedAudio(classes, cachedAudio)
}
