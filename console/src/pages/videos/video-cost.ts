import type { Video } from '../../api/videos.ts'
import { type ExactNumber, exactUsd, toNano } from '../../lib/money.ts'

/** The cost of a finished video, for people and for CSV; null while it may still change. */
export function videoCost({
  status,
  usage,
}: Pick<Video, 'status' | 'usage'>): { usd: ExactNumber; csv: string } | null {
  if (status !== 'completed' && status !== 'failed') return null
  const usd = usage?.cost ?? 0
  return { usd, csv: exactUsd(toNano(usd)) }
}
