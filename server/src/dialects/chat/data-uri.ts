import type { MediaSource } from '#domain/inference/parts.ts'

/** Where media are: an address, or the bytes themselves where the address holds them. */
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

/** Undefined for escapes that make no sense; the upstream may judge those. */
function encodedText(escaped: string): string | undefined {
  try {
    return Buffer.from(decodeURIComponent(escaped)).toString('base64')
  } catch {
    return undefined
  }
}
