/** The stored excerpt of some texts, which always includes the violation. */
export interface Excerpt {
  readonly parts: readonly ExcerptPart[]
  /** Whether something was left out. */
  readonly isPartial: boolean
}

interface ExcerptPart {
  /** The index of the text, and the start offset. */
  readonly text: number
  readonly start: number
  readonly content: string
}

/**
 * Starts with the text that contains the violation, cut around it if the text is too long, then adds the other texts
 * while there is room.
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
