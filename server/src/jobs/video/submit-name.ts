import { publicJobId } from '#domain/video/job-id.ts'
import type { ClaimedJob } from '#ports/videos.ts'

/** What upstreams are told to call a submit: the same for every look at it, another for every new one. */
export function submitName({ id, progress }: Pick<ClaimedJob, 'id' | 'progress'>): string {
  return `${publicJobId(id)}-${progress.submits}`
}
