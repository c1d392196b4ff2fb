import { disjointUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'

/** The usage of a document or a `metadata` event, or undefined if it has none. */
export function readUsage(holder: JsonObject): UsageClasses | undefined {
  const usage = objectAt(holder, 'usage')
  const prompt = countAt(usage, 'inputTokens')
  const completion = countAt(usage, 'outputTokens')
  if (prompt === undefined && completion === undefined) return undefined
  const written = writtenTokensByLife(usage)
  const cacheWrite = countAt(usage, 'cacheWriteInputTokens') ?? written.brief + written.hour
  const cacheWrite1h = Math.min(written.hour, cacheWrite)
  return disjointUsage(
    {
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      cacheRead: countAt(usage, 'cacheReadInputTokens') ?? 0,
      cacheWrite5m: cacheWrite - cacheWrite1h,
      cacheWrite1h,
    },
    { promptIncludesCache: false, completionIncludesReasoning: true },
  )
}

/** Tokens written to the cache for an hour, and for any other duration, which counts as the shortest. */
function writtenTokensByLife(usage: JsonObject): { brief: number; hour: number } {
  const written = { brief: 0, hour: 0 }
  const details = Array.isArray(usage.cacheDetails) ? usage.cacheDetails.filter(isJsonObject) : []
  for (const detail of details) written[detail.ttl === '1h' ? 'hour' : 'brief'] += countAt(detail, 'inputTokens') ?? 0
  return written
}
