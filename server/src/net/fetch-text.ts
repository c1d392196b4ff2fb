import type { UrlVerdict } from '#domain/egress/judge-url.ts'
import { malformed } from '#errors/malformed.ts'
import { errorText } from '#lib/error-text.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { fetchWhole } from './fetch-whole.ts'

interface FetchTextOptions {
  /** With the egress guard, which judges each connection. */
  readonly upstreams: Upstreams
  readonly judgeText: (url: string) => UrlVerdict
  readonly timeoutMs: number
  readonly bytesMax: number
}

/** Fetches the text at a URL that the operator named. If that fails, returns a sentence that says why. */
export function createFetchText({ upstreams, judgeText, timeoutMs, bytesMax }: FetchTextOptions) {
  const timeouts = { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs, connectTimeoutMs: timeoutMs }
  return async (url: string): Promise<string> => {
    const verdict = judgeText(url)
    if (!verdict.allowed) throw malformed(`${url} ${verdict.message}`)
    const { origin, pathname, search } = verdict.url
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Weir' }
    const request = { method: 'GET', account: 'operator', origin, path: pathname + search, headers, body: '' } as const
    const answer = await fetchWhole(upstreams, { ...request, ...timeouts }, { timeoutMs, bytesMax }).catch((error) => {
      throw malformed(`${url} can't be read: ${errorText(error)}`, error)
    })
    if (answer.status !== 200) throw malformed(`${url} returned ${answer.status}.`)
    return answer.body
  }
}
