import type { UpstreamExchange, Upstreams } from '#ports/upstream.ts'

interface BatchRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

export interface BatchAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** The part of the body that arrived in time, up to a limit. */
  readonly body: string
}

const bodyBytesMax = 65_536

/**
 * Posts a batch. Once the status has arrived the response counts, even if the rest is missing: a sink that returned 200
 * has the events, and would get them again forever if its response were too long for us.
 */
export function postBatch(upstreams: Upstreams, { url, headers, body, timeoutMs }: BatchRequest): Promise<BatchAnswer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    let answer: Omit<BatchAnswer, 'body'> | null = null
    let exchange: UpstreamExchange | null = null
    const finish = (failure: string): void => {
      clearTimeout(timer)
      exchange?.abort()
      if (answer === null) reject(new Error(failure))
      else resolve({ ...answer, body: Buffer.concat(pieces).toString('utf8') })
    }
    const timer = setTimeout(() => finish(`timed out after ${timeoutMs} ms`), timeoutMs)
    exchange = upstreams.open(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        headers: { 'user-agent': 'Weir', ...headers, 'accept-encoding': 'identity' },
        body,
        connectTimeoutMs: timeoutMs,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
      },
      {
        headers: (status, received) => {
          const retryAfter = received['retry-after']
          answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null }
        },
        data: (piece) => {
          bytes += piece.length
          if (bytes > bodyBytesMax) return finish('')
          pieces.push(piece)
        },
        end: () => finish(''),
        failed: ({ message }) => finish(message),
      },
    )
  })
}
