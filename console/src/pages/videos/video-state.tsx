import type { Video } from '../../api/videos.ts'
import { Badge } from '../../ui/badge.tsx'

const states = {
  pending: ['waiting', 'neutral'],
  in_progress: ['in progress', 'accent'],
  completed: ['completed', 'good'],
  failed: ['failed', 'bad'],
} as const

export function videoStateInWords({ status }: Pick<Video, 'status'>): string {
  return states[status][0]
}

export function VideoState({ video }: { readonly video: Pick<Video, 'status'> }) {
  const [words, tone] = states[video.status]
  return <Badge tone={tone}>{words}</Badge>
}
