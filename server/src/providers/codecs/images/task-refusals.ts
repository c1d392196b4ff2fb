import { publicText } from '#lib/public-text.ts'
import { UpstreamRefusedError } from '../faults.ts'

/** The upstream rejected the request or its result because of its content. */
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

/** An accepted task failed. It has cost time and perhaps money, so it is tried at another upstream instead of again. */
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
