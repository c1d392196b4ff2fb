/** A part of a text in UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Sorts spans and merges overlapping ones. Adjacent spans stay separate, because each is a match. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((left, right) => left.start - right.start || left.end - right.end)
  const joined: Span[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end }
  }
  return joined
}
