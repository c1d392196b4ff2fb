import type { Outbound } from '#ports/outbound.ts'
import type { UpstreamExchange, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

export interface GuardedFetchOptions {
  /** With the egress guard, which judges each connection. */
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly timeoutMs: number
  readonly bytesMax: number
}

export interface FetchTerms {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A fetch for hosts that an organization chose: guarded, bounded, in the organization's turn, without redirects. */
export type GuardedFetch = (account: string, url: URL, terms: FetchTerms) => Promise<Response>

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs, bytesMax } = options
  const timeouts = { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs, connectTimeoutMs: timeoutMs }
  return (account, { origin, pathname, search }, { method, headers, body }) =>
    options.outbound.run({ account, bytesMax }, () =>
      exchange(options, {
        method: method === 'POST' ? 'POST' : 'GET',
        account,
        origin,
        path: pathname + search,
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Weir' },
        body,
        ...timeouts,
      }),
    )
}

function exchange(
  { upstreams, timeoutMs, bytesMax }: GuardedFetchOptions,
  request: UpstreamRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let status = 0
    let contentType = ''
    let bytes = 0
    const pieces: Buffer[] = []
    // Null while the guard can still reject the request, before there is an exchange.
    let opened: UpstreamExchange | null = null
    const fail = (reason: string): void => {
      clearTimeout(timer)
      opened?.abort()
      reject(new Error(`${request.origin} could not be read: ${reason}`))
    }
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs / 1_000} s`), timeoutMs)
    opened = upstreams.open(request, {
      headers: (answered, headers) => {
        status = answered
        contentType = String(headers['content-type'] ?? '')
      },
      data: (piece) => {
        bytes += piece.length
        if (bytes > bytesMax) return fail('the answer is too large')
        pieces.push(piece)
      },
      end: () => {
        clearTimeout(timer)
        const body = pieces.length === 0 ? null : Buffer.concat(pieces)
        resolve(new Response(body, { status, headers: { 'content-type': contentType } }))
      },
      failed: ({ message }) => fail(message),
    })
  })
}
