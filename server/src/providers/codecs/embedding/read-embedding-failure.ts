import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ReadFailure } from '../media-request.ts'

/**
 * If an upstream does not support the input, the request goes to the next one: it is the upstream's limit, not the
 * client's mistake.
 */
export function embeddingFailure(read: ReadFailure): ReadFailure {
  return (status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal => {
    const refusal = read(status, headers, bodyText)
    if (status === 405 || status === 501) {
      return {
        ...refusal,
        action: 'fail-over',
        errorName: 'upstreamUnavailable',
        message: 'This provider does not support embeddings.',
      }
    }
    const isLimit = refusal.errorName === 'unsupportedParam' || unsupported.test(refusal.inside)
    return refusal.action === 'give-up' && isLimit ? { ...refusal, action: 'fail-over' } : refusal
  }
}

const unsupported = /not (?:yet |currently )?support|unsupported|does not (?:have|offer|accept|take)|not implemented/i

/** For all upstreams whose errors look like OpenAI's, or at least have a message in one of the usual places. */
export const readEmbeddingFailure: ReadFailure = embeddingFailure(readFailure)
