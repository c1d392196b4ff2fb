import type { JobProgress } from '#domain/video/video-job.ts'

/** Nobody is asked about a job more often than this. */
export const rhythmMinMs = 8_000
const backoffMaxMs = 60_000

/** How long until a job's next step, after it came to stand where it does. */
export function pauseAfter({ state, failures }: JobProgress, rhythmMs = rhythmMinMs): number {
  const backoff = Math.min(backoffMaxMs, 1_000 * 2 ** Math.min(failures, 10))
  switch (state) {
    case 'running':
      return Math.max(rhythmMinMs, rhythmMs, failures === 0 ? 0 : backoff)
    // What was just sent may take a moment to be found.
    case 'unknown':
      return Math.max(rhythmMinMs, backoff)
    case 'storing':
      return failures === 0 ? 0 : backoff
    default:
      return 0
  }
}
