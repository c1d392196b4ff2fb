import type { VideoOutput } from '#domain/video/video-job.ts'
import type { MediaRequest } from '../conversation.ts'
import { getRequest } from '../media-request.ts'
import type { MediaTarget } from '../target.ts'

/** Outputs that anybody can fetch who knows where they are; what is no web address is left out. */
export function publicOutputs(addresses: readonly unknown[]): VideoOutput[] {
  return addresses.filter((url) => typeof url === 'string' && isWebAddress(url)).map((url) => ({ kind: 'url', url }))
}

/** An output below the host's own address, where its key is shown; the key goes nowhere else. */
export function outputAt(address: string, { baseUrl }: MediaTarget): VideoOutput | null {
  const base = new URL(baseUrl)
  const url = URL.parse(address, base)
  if (url === null || !isWebAddress(url.href)) return null
  const prefix = `${base.pathname.replace(/\/+$/, '')}/`
  const isOwn = url.origin === base.origin && url.pathname.startsWith(prefix)
  return isOwn
    ? { kind: 'path', path: url.pathname.slice(prefix.length - 1) + url.search }
    : { kind: 'url', url: url.href }
}

/** The request for an output: with the key for a path of the host's own, without it for any other address. */
export function requestForOutput(output: VideoOutput, target: MediaTarget): MediaRequest {
  if (output.kind === 'path') return getRequest(target, output.path)
  const { origin, pathname, search } = new URL(output.url)
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'weir' }
  return { method: 'GET', origin, path: pathname + search, headers, body: '' }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
