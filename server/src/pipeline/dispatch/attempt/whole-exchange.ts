import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { Exchange } from '#providers/codecs/exchange-script.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { AttemptFailure } from './attempt.ts'

/** The exchange failed. */
export class ExchangeFailedError extends Error {
  readonly failure: AttemptFailure

  constructor(failure: AttemptFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** One request and its whole response. Aborting closes the connection immediately. */
export function wholeExchange(
  upstreams: Upstreams,
  request: UpstreamRequest,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>()
  const body = new WholeBody(bytesMax)
  let head: Pick<Exchange, 'status' | 'headers'> = { status: 0, headers: {} }
  const exchange = upstreams.open(request, {
    headers: (status, headers) => {
      head = { status, headers }
    },
    data: (bytes) => {
      if (body.add(bytes)) return
      exchange.abort()
      reject(new ExchangeFailedError({ kind: 'oversize', message: 'The upstream response is too large.' }))
    },
    end: () => resolve({ ...head, body: body.take() }),
    failed: (failure) => reject(new ExchangeFailedError(failure)),
  })
  const abandon = (): void => {
    exchange.abort()
    reject(signal.reason)
  }
  signal.addEventListener('abort', abandon, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', abandon))
}
