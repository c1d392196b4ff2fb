import type { BlobRange } from '#ports/blob-store.ts'

/** `unsatisfiable` is rejected with 416. Null means the whole content, also for an invalid or multiple range. */
export function parseRange(header: string | undefined, byteCount: number): BlobRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  const last = byteCount - 1
  if (from === '') {
    const wanted = Math.min(Number(to), byteCount)
    return wanted === 0 ? 'unsatisfiable' : { first: byteCount - wanted, last }
  }
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) > last) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? last : Math.min(Number(to), last) }
}

/** The length of the response, and its part of the whole. */
export function rangeHeaders(byteCount: number, range: BlobRange | null): Record<string, string> {
  if (range === null) return { 'content-length': String(byteCount) }
  const { first, last } = range
  return { 'content-length': String(last - first + 1), 'content-range': `bytes ${first}-${last}/${byteCount}` }
}
