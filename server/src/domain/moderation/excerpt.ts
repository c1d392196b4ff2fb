/** As much of some texts as is kept, with the place that matters for certain in it. */
export interface Excerpt {
  readonly parts: readonly ExcerptPart[]
  /** Whether something was left out. */
  readonly isPartial: boolean
}

interface ExcerptPart {
  /** Which of the texts, and from which character on. */
  readonly text: number
  readonly start: number
  readonly content: string
}

/**
 * The text with the place in it first, cut around that place where it is too long; then the others while there is room.
 */
export function excerptOf(
  texts: readonly string[],
  place: { readonly text: number; readonly start: number },
  charactersMax: number,
): Excerpt {
  const order = [place.text, ...Array.from(texts.keys()).filter((index) => index !== place.text)]
  const parts: ExcerptPart[] = []
  let room = charactersMax
  let isPartial = false
  for (const index of order) {
    const whole = texts[index] ?? ''
    const around = index === place.text ? place.start : 0
    const start = Math.max(0, Math.min(around - Math.floor(room / 2), whole.length - room))
    const content = whole.slice(start, start + room)
    isPartial ||= content.length < whole.length
    if (content !== '') parts.push({ text: index, start, content })
    room -= content.length
  }
  return { parts, isPartial }
}
