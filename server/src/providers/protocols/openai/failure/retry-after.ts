import type { ResponseHeaders } from '#providers/refusal.ts'

/** How long the upstream asks us to wait, or null if it names no time. */
export function retryAfterMs(headers: ResponseHeaders): number | null {
  const exact = Number.parseFloat(headerOf(headers, 'retry-after-ms') ?? '')
  if (exact >= 0) return Math.ceil(exact)
  const text = headerOf(headers, 'retry-after')
  if (text === undefined) return null
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1_000)
  // A date is compared with the upstream's own clock, which the same response states.
  const waitMs = Date.parse(text) - Date.parse(headerOf(headers, 'date') ?? '')
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null
}

export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
