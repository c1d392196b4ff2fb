import type { UpstreamExchange, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

export interface WholeAnswer {
  readonly status: number
  readonly body: string
}

/** One exchange whose response is needed as a whole, within a total time and a maximum size. */
export function fetchWhole(
  upstreams: Upstreams,
  request: UpstreamRequest,
  limits: { timeoutMs: number; bytesMax: number },
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0
    let bytes = 0
    const pieces: Buffer[] = []
    // Null while the guard can still reject the request, before there is an exchange.
    let exchange: UpstreamExchange | null = null
    const fail = (reason: string): void => {
      clearTimeout(timer)
      exchange?.abort()
      reject(new Error(reason))
    }
    const timer = setTimeout(() => fail(`timed out after ${limits.timeoutMs} ms`), limits.timeoutMs)
    exchange = upstreams.open(request, {
      headers: (answered) => {
        status = answered
      },
      data: (piece) => {
        bytes += piece.length
        if (bytes > limits.bytesMax) return fail('the response is too large')
        pieces.push(piece)
      },
      end: () => {
        clearTimeout(timer)
        resolve({ status, body: Buffer.concat(pieces).toString('utf8') })
      },
      failed: ({ message }) => fail(message),
    })
  })
}
