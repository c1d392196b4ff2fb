interface Span {
  readonly start: number
  readonly end: number
}

interface Part {
  readonly text: string
  readonly isMatch: boolean
}

/** Cuts a text into matches and the text between them. Matches of several filters may overlap. */
export function markMatches(text: string, matches: readonly Span[]): Part[] {
  const parts: Part[] = []
  let done = 0
  for (const { start, end } of matches.toSorted((one, other) => one.start - other.start)) {
    if (start > done) parts.push({ text: text.slice(done, start), isMatch: false })
    if (end > done) parts.push({ text: text.slice(Math.max(start, done), end), isMatch: true })
    done = Math.max(done, end)
  }
  return done < text.length ? [...parts, { text: text.slice(done), isMatch: false }] : parts
}
