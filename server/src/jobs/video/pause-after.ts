import type { JobProgress } from '#domain/video/video-job.ts'

const backoffMaxMs = 60_000

/** How long until a job's next step, after it came to stand where it does. No upstream is asked about it more often than every `rhythmMs`. */
export function pauseAfter({ state, failures }: JobProgress, rhythmMs: number): number {
  const backoff = Math.min(backoffMaxMs, 1_000 * 2 ** Math.min(failures, 10))
  switch (state) {
    case 'running':
      return Math.max(rhythmMs, failures === 0 ? 0 : backoff)
    // What was just sent may take a moment to be found.
    case 'unknown':
      return Math.max(rhythmMs, failures === 0 ? 0 : backoff)
    case 'storing':
      return failures === 0 ? 0 : backoff
    default:
      return 0
  }
}
