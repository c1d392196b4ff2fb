import type { VideoOutput } from '#domain/video/video-job.ts'
import type { MediaRequest } from '../exchange-script.ts'
import { getRequest } from '../media-request.ts'
import type { MediaTarget } from '../target.ts'

/** Outputs that anybody can fetch who knows where they are; what is no web address is left out. */
export function publicOutputs(addresses: readonly unknown[]): VideoOutput[] {
  return addresses.flatMap((url) => (typeof url === 'string' && isWebAddress(url) ? [{ kind: 'url', url }] : []))
}

/** An output below the host's own address, where its key is shown; the key goes nowhere else. */
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

/** A path of the host's own is asked for with the key; any other address is fetched like anybody's. */
export function requestForOutput(output: VideoOutput, target: MediaTarget): MediaRequest | undefined {
  return output.kind === 'path' ? getRequest(target, output.path) : undefined
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
