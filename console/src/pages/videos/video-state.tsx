import type { Video } from '../../api/videos.ts'
import { Badge } from '../../ui/badge.tsx'

const states = {
  pending: ['Queued', 'neutral'],
  in_progress: ['In progress', 'accent'],
  completed: ['Completed', 'good'],
  failed: ['Failed', 'bad'],
} as const

export function videoStateInWords({ status }: Pick<Video, 'status'>): string {
  return states[status][0]
}

export function VideoState({ video }: { readonly video: Pick<Video, 'status'> }) {
  const [words, tone] = states[video.status]
  return <Badge tone={tone}>{words}</Badge>
}
