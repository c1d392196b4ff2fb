import { wholeExchange } from '#pipeline/dispatch/attempt/whole-exchange.ts'
import type { ImageSource } from '#ports/media.ts'
import type { AuthorizeRequest, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { isLate } from '#providers/authentication.ts'
import type { ExchangeScript, Step, StepOutcome } from '#providers/codecs/exchange-script.ts'
import type { JobHost, JobTalk } from './step-job.ts'

interface ConverseOptions {
  readonly upstreams: Upstreams
  readonly authorize: AuthorizeRequest
  /** For upstreams that need the bytes of an image rather than its URL. */
  readonly images: ImageSource
  readonly connectTimeoutMs: number
  /** Per exchange. */
  readonly answerTimeoutMs: number
  readonly answerBytesMax: number
  readonly wait: (ms: number) => Promise<void>
}

/**
 * Runs the exchanges of jobs, which are short: a long wait is a separate step that polls. Images are fetched in the
 * outbound turn of the job's account.
 */
export function createConverse(
  options: ConverseOptions,
): <Result>(conversation: ExchangeScript<Result>, talk: JobTalk) => Promise<Result> {
  const { upstreams, connectTimeoutMs, answerTimeoutMs, answerBytesMax } = options
  const limits = { connectTimeoutMs, headersTimeoutMs: answerTimeoutMs, bodyTimeoutMs: answerTimeoutMs }
  const perform = async (step: Step, { host, account }: JobTalk, discards: Discard[]): Promise<StepOutcome> => {
    switch (step.kind) {
      case 'wait':
        await options.wait(step.ms)
        return undefined
      case 'send':
        return wholeExchange(upstreams, await authorized({ ...step.request, ...limits }, host, options.authorize), {
          bytesMax: answerBytesMax,
          signal: AbortSignal.timeout(answerTimeoutMs),
        })
      case 'fetch-image': {
        const image = await options.images.fetch(step.url, { account, signal: AbortSignal.timeout(answerTimeoutMs) })
        discards.push(image.discard)
        return image.file
      }
    }
  }
  return async (conversation, talk) => {
    const discards: Discard[] = []
    try {
      for (let next = conversation.next(); ; ) {
        if (next.done === true) return next.value
        next = conversation.next(await perform(next.value, talk, discards))
      }
    } finally {
      await Promise.all(discards.map((discard) => discard()))
    }
  }
}

type Discard = () => Promise<void>

/** Authorizes the request for providers that do not take a key in a header. */
export async function authorized(
  request: UpstreamRequest,
  { target: { authentication }, credential }: Pick<JobHost, 'target' | 'credential'>,
  authorize: AuthorizeRequest,
): Promise<UpstreamRequest> {
  return isLate(authentication) && credential !== null ? authorize(request, credential, authentication) : request
}
