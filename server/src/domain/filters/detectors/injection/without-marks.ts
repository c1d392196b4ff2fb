import type { Span } from '../../text/span.ts'

/** A text whose letters may have been struck through or dotted one by one, without that; and where its parts come from. */
export interface UnmarkedText {
  readonly text: string
  readonly toMarked: (span: Span) => Span
}

/** Three marked letters in a row; accents of a language are part of their letters by now, and stand further apart. */
const marked = /(?:\p{sc=Latin}\p{M}+){3}/u

export function withoutMarks(text: string): UnmarkedText {
  if (!marked.test(text)) return { text, toMarked: (span) => span }
  const parts: string[] = []
  const places: number[] = []
  for (const { index, 0: run } of text.matchAll(/\P{M}+/gu)) {
    parts.push(run)
    for (let unit = 0; unit < run.length; unit += 1) places.push(index + unit)
  }
  const toMarked = ({ start, end }: Span): Span => ({
    start: places[start] ?? 0,
    end: places[end] ?? text.length,
  })
  return { text: parts.join(''), toMarked }
}
