import { wholeExchange } from '#pipeline/dispatch/whole-exchange.ts'
import type { ImageSource } from '#ports/media.ts'
import type { Upstreams } from '#ports/upstream.ts'
import type { Conversation, Step, StepOutcome } from '#providers/codecs/conversation.ts'

export interface ConverseOptions {
  readonly upstreams: Upstreams
  /** For upstreams that want the bytes of an image rather than its address. */
  readonly images: ImageSource
  readonly connectTimeoutMs: number
  /** For one exchange. */
  readonly answerTimeoutMs: number
  readonly answerBytesMax: number
  readonly wait: (ms: number) => Promise<void>
}

/**
 * Carries conversations of jobs out, which are short: what takes long is asked for again by another step. Images are fetched in
 * the turn of the account that has the job.
 */
export function createConverse(
  options: ConverseOptions,
): <Result>(talk: Conversation<Result>, account: string) => Promise<Result> {
  const { upstreams, connectTimeoutMs, answerTimeoutMs, answerBytesMax } = options
  const perform = async (step: Step, account: string, discards: Discard[]): Promise<StepOutcome> => {
    switch (step.kind) {
      case 'wait':
        await options.wait(step.ms)
        return undefined
      case 'send':
        return wholeExchange(
          upstreams,
          { ...step.request, connectTimeoutMs, headersTimeoutMs: answerTimeoutMs, bodyTimeoutMs: answerTimeoutMs },
          { bytesMax: answerBytesMax, signal: AbortSignal.timeout(answerTimeoutMs) },
        )
      case 'fetch-image': {
        const image = await options.images.fetch(step.url, { account, signal: AbortSignal.timeout(answerTimeoutMs) })
        discards.push(image.discard)
        return image.file
      }
    }
  }
  return async (conversation, account) => {
    const discards: Discard[] = []
    try {
      for (let next = conversation.next(); ; ) {
        if (next.done === true) return next.value
        next = conversation.next(await perform(next.value, account, discards))
      }
    } finally {
      await Promise.all(discards.map((discard) => discard()))
    }
  }
}

type Discard = () => Promise<void>
