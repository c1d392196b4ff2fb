import { publicJobId } from '#domain/video/job-id.ts'
import type { ClaimedJob } from '#ports/videos.ts'

/** The name of a submit at the upstream: the same for every lookup of it, and a new one for every submit. */
export function submitName({ id, progress }: Pick<ClaimedJob, 'id' | 'progress'>): string {
  return `${publicJobId(id)}-${progress.submits}`
}
