import type { MediaUsage, Usage } from '#domain/inference/usage.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The columns of a generation that say what was counted; Postgres' driver reads bigints as text. */
export interface UsageColumns {
  uncached_input: string
  cache_read: string
  cache_write_5m: string
  cache_write_1h: string
  audio_input: string
  text_output: string
  reasoning_output: string
  image_output: string
  audio_output: string
  media: MediaUsage | null
}

export function usageOfRow(row: UsageColumns): Usage {
  return {
    uncachedInput: Number(row.uncached_input),
    cacheRead: Number(row.cache_read),
    cacheWrite5m: Number(row.cache_write_5m),
    cacheWrite1h: Number(row.cache_write_1h),
    audioInput: Number(row.audio_input),
    textOutput: Number(row.text_output),
    reasoningOutput: Number(row.reasoning_output),
    imageOutput: Number(row.image_output),
    audioOutput: Number(row.audio_output),
    ...(row.media === null ? {} : { media: row.media }),
  }
}

/** The member and the key that a scope is narrowed to, as parameters; null narrows nothing. */
export function ownerOf({ only }: UsageScope): [memberId: Uuid | null, keyId: Uuid | null] {
  if (only === null) return [null, null]
  return 'memberId' in only ? [only.memberId, null] : [null, only.keyId]
}
