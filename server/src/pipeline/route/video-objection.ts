import type { DialectCall } from '#dialects/dialect.ts'
import { hasVideoPrice } from '#domain/money/worst-charge.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { ExclusionRule } from '#domain/routing/explanation.ts'
import { tasksOf } from '#providers/codecs/video-codec.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'

/** Why an upstream cannot create this particular video. Null if it can, and for everything that is not a video. */
export function videoObjection(
  call: DialectCall,
  { model, account, upstreamModel, billing, price }: Candidate,
): ExclusionRule | null {
  const ask = call.media?.fitTo?.(model)
  if (ask?.task.kind !== 'video') return null
  const codec = findAnyVendor(account.vendor)?.media?.video
  if (codec !== undefined && !tasksOf(codec, upstreamModel).includes(ask.task.task)) return 'unfit'
  // A variant without a price would be free.
  return billing === 'charged' && !hasVideoPrice(ask.worst, price) ? 'no_price' : null
}
