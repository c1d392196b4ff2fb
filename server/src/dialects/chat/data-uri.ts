import type { MediaSource } from '#domain/inference/parts.ts'

/** The source of media: a URL, or the bytes of a data URI. */
export function mediaSourceOf(url: string): MediaSource {
  const comma = /^data:/i.test(url) ? url.indexOf(',') : -1
  if (comma === -1) return { kind: 'url', url }
  const head = url.slice('data:'.length, comma)
  const [mediaType = ''] = head.split(';')
  const base64 = /;base64$/i.test(head) ? url.slice(comma + 1) : encodedText(url.slice(comma + 1))
  if (base64 === undefined) return { kind: 'url', url }
  return { kind: 'data', mediaType: mediaType === '' ? 'text/plain' : mediaType, base64 }
}

export function mediaUrlOf(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}

/** Returns undefined for invalid escapes, which are left to the upstream. */
function encodedText(escaped: string): string | undefined {
  try {
    return Buffer.from(decodeURIComponent(escaped)).toString('base64')
  } catch {
    return undefined
  }
}
