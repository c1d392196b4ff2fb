import { publicText } from '#lib/public-text.ts'
import { UpstreamRefusedError } from '../faults.ts'

/** What was asked for, or what was made of it, is not what the upstream gives away. */
export function moderated(words: string): UpstreamRefusedError {
  const inside = publicText(words)
  return new UpstreamRefusedError({
    action: 'give-up',
    errorName: 'contentModeration',
    message: inside === '' ? 'The upstream rejected this content.' : `The upstream rejected this content: ${inside}`,
    inside,
    retryAfterMs: null,
    status: 200,
  })
}

/**
 * An accepted task came to nothing. It has cost its time and perhaps money, so that it is tried elsewhere rather than
 * again.
 */
export function failedTask(words: string): UpstreamRefusedError {
  const inside = publicText(words)
  return new UpstreamRefusedError({
    action: 'fail-over',
    errorName: 'upstreamUnavailable',
    message: 'The upstream accepted the task but failed to finish it. Nothing was charged.',
    inside,
    retryAfterMs: null,
    status: 200,
  })
}
