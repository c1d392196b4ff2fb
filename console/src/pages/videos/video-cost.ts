import { isOver } from '../../api/is-over.ts'
import type { Video } from '../../api/videos.ts'
import { type ExactNumber, exactUsd, toNano } from '../../lib/money.ts'

/** The cost of a finished video, for display and CSV, or null while it may change. */
export function videoCost(video: Pick<Video, 'status' | 'usage'>): { usd: ExactNumber; csv: string } | null {
  if (!isOver(video)) return null
  const usd = video.usage?.cost ?? 0
  return { usd, csv: exactUsd(toNano(usd)) }
}
