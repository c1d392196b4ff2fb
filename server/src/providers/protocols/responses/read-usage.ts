import { serviceTierIn, withServiceTier } from '#domain/inference/service-tier.ts'
import { disjointUsage, type Usage } from '#domain/inference/usage.ts'
import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import { openAiCounting } from '#providers/spec.ts'
import { costInTicks } from '../openai/answer/extra-counts.ts'
import { cacheWritesIn } from '../openai/answer/read-usage.ts'

/** The usage of a response with the tier that served it, or undefined if there is none. Zero counts are valid usage. */
export function readResponseUsage(response: JsonObject): Usage | undefined {
  const usage = objectAt(response, 'usage')
  const prompt = countAt(usage, 'input_tokens')
  const completion = countAt(usage, 'output_tokens')
  if (prompt === undefined && completion === undefined) return undefined
  const input = objectAt(usage, 'input_tokens_details')
  const counted = disjointUsage(
    {
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      cacheRead: countAt(input, 'cached_tokens') ?? 0,
      ...cacheWritesIn(input),
      reasoning: countAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens') ?? 0,
    },
    // In Responses, xAI includes reasoning in its output count, unlike in chat completions.
    openAiCounting,
  )
  const upstreamNano = costInTicks(usage)
  const usual = withServiceTier(counted, serviceTierIn(response.service_tier))
  return upstreamNano === undefined ? usual : { ...usual, upstreamNano }
}
