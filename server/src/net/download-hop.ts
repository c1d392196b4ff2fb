import { createWriteStream, type WriteStream } from 'node:fs'
import type { Download, DownloadOptions } from '#ports/media.ts'
import type { UpstreamExchange, UpstreamRequest, Upstreams } from '#ports/upstream.ts'

export type HopResult =
  | { readonly kind: 'done'; readonly download: Download }
  | { readonly kind: 'redirect'; readonly location: string }

type Headers = Readonly<Record<string, string | string[] | undefined>>

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * One request. Its response is written to the file as it arrives, no faster than the disk accepts it, or it is a
 * redirect, which is returned.
 */
export function downloadHop(upstreams: Upstreams, request: UpstreamRequest, to: DownloadOptions): Promise<HopResult> {
  return new Promise((resolve) => {
    let byteCount = 0
    let file: WriteStream | undefined
    let exchange: UpstreamExchange | undefined
    const finish = (result: HopResult): void => {
      to.signal.removeEventListener('abort', onAbort)
      exchange?.abort()
      file?.destroy()
      resolve(result)
    }
    const refuse = (reason: 'failed' | 'too-large', why: string): void =>
      finish({ kind: 'done', download: { ok: false, reason, why } })
    const onAbort = (): void => refuse('failed', 'timed out, or the request that needed it has ended')
    exchange = upstreams.open(request, {
      headers: (status, headers) => {
        const location = headers['location']
        if (redirectStatuses.has(status) && typeof location === 'string') return finish({ kind: 'redirect', location })
        if (status !== 200) return refuse('failed', `returned ${status}`)
        if (isEncoded(headers)) return refuse('failed', 'used a content encoding that was not requested')
        if (Number(headers['content-length'] ?? 0) > to.bytesMax) return refuse('too-large', 'too large')
        // Opened only now: if every hop opened the file at its start, the late open of a redirected hop would truncate
        // this hop's file.
        file = createWriteStream(to.path, { mode: 0o600 })
        file.on('error', (error) => refuse('failed', `the file can't be written: ${error.message}`))
        file.on('drain', () => exchange?.resume())
      },
      data: (bytes) => {
        byteCount += bytes.length
        if (byteCount > to.bytesMax) return refuse('too-large', 'too large')
        if (file?.write(bytes) === false) exchange?.pause()
      },
      end: () => file?.end(() => finish({ kind: 'done', download: { ok: true, byteCount } })),
      failed: ({ message }) => refuse('failed', message),
    })
    if (to.signal.aborted) onAbort()
    else to.signal.addEventListener('abort', onAbort)
  })
}

function isEncoded(headers: Headers): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding !== 'identity'
}
