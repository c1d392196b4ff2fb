import type { Span } from './span.ts'

export const redactionMark = '[REDACTED]'

/** Replaces spans of a text, which are in order and do not overlap. */
export function redactText(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), redactionMark)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
