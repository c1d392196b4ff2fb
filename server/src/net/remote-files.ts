import type { UrlVerdict } from '#domain/egress/judge-url.ts'
import type { Download, DownloadOptions, RemoteFiles } from '#ports/media.ts'
import type { Outbound } from '#ports/outbound.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { downloadHop, type HopResult } from './download-hop.ts'

const redirectsMax = 3

interface RemoteFilesOptions {
  /** With the egress guard, which judges each connection. */
  readonly upstreams: Upstreams
  readonly judgeText: (url: string) => UrlVerdict
  readonly outbound: Outbound
  readonly connectTimeoutMs: number
}

/** Downloads through the guard. A redirect is judged like any other URL that the gateway did not choose. */
export function createRemoteFiles(options: RemoteFilesOptions): RemoteFiles {
  return {
    download(url, to) {
      const { account, bytesMax, signal } = to
      return options.outbound
        .run({ account, bytesMax, signal }, () => downloadNow(options, url, to))
        .catch((error) => {
          if (error === signal.reason) return failed('the request that needed it has ended')
          throw error
        })
    },
  }
}

async function downloadNow(options: RemoteFilesOptions, url: string, to: DownloadOptions): Promise<Download> {
  const signal = AbortSignal.any([to.signal, AbortSignal.timeout(to.timeoutMs)])
  let address = url
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const verdict = options.judgeText(address)
    if (!verdict.allowed) return { ok: false, reason: 'not-allowed', why: `the URL ${verdict.message}` }
    const hop = await oneHop(options, verdict.url, { ...to, signal })
    if (hop.kind === 'done') return hop.download
    if (!URL.canParse(hop.location, address)) return failed('a redirect without a target')
    address = new URL(hop.location, address).href
  }
  return failed(`more than ${redirectsMax} redirects`)
}

function oneHop(
  { upstreams, connectTimeoutMs }: RemoteFilesOptions,
  url: URL,
  to: DownloadOptions,
): Promise<HopResult> {
  return downloadHop(
    upstreams,
    {
      method: 'GET',
      account: to.account,
      origin: url.origin,
      path: url.pathname + url.search,
      // No connection is reused, so that bytes that one host leaves behind cannot become another host's file.
      headers: {
        accept: 'image/*, video/*, */*;q=0.5',
        'accept-encoding': 'identity',
        'user-agent': 'Weir',
        connection: 'close',
      },
      body: '',
      connectTimeoutMs,
      headersTimeoutMs: to.timeoutMs,
      bodyTimeoutMs: to.timeoutMs,
    },
    to,
  )
}

function failed(why: string): Download {
  return { ok: false, reason: 'failed', why }
}
