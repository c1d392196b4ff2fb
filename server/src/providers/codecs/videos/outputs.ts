import type { VideoOutput } from '#domain/video/video-job.ts'
import type { MediaRequest } from '../exchange-script.ts'
import { getRequest } from '../media-request.ts'
import type { MediaTarget } from '../target.ts'

/** Outputs that anyone with the URL can fetch. Values that are not web URLs are left out. */
export function publicOutputs(addresses: readonly unknown[]): VideoOutput[] {
  return addresses.flatMap((url) => (typeof url === 'string' && isWebAddress(url) ? [{ kind: 'url', url }] : []))
}

/** An output below the upstream's own base URL, where its key is used. The key is sent nowhere else. */
export function outputAt(address: string, { baseUrl }: MediaTarget): VideoOutput | null {
  const base = new URL(baseUrl)
  const url = URL.parse(address, baseUrl)
  if (url === null || !isWebAddress(url.href)) return null
  const prefix = `${base.pathname.replace(/\/+$/, '')}/`
  const isOwn = url.origin === base.origin && url.pathname.startsWith(prefix)
  return isOwn
    ? { kind: 'path', path: url.pathname.slice(prefix.length - 1) + url.search }
    : { kind: 'url', url: url.href }
}

/** A path at the upstream itself is requested with the key; any other URL is fetched without it. */
export function requestForOutput(output: VideoOutput, target: MediaTarget): MediaRequest | undefined {
  return output.kind === 'path' ? getRequest(target, output.path) : undefined
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
