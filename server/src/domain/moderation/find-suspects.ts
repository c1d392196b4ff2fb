import type { LiteralScan } from '#lib/literal-scan.ts'

/** A piece of a text that may violate a policy. */
export interface Suspect {
  /** The index of the text, and the start offset. */
  readonly text: number
  readonly start: number
  readonly content: string
}

/** Twice the distance that any pattern reaches from its needle in ordinary text. */
const reach = 600
// A needle this close to the previous one is already covered. Without this, a text that consists of needles would be
// scanned letter by letter.
const stride = reach / 2

/**
 * The surroundings of the needles in each text; adjacent pieces are merged. A long text with one needle is a short
 * piece.
 */
export function findSuspects(texts: readonly string[], findNeedle: LiteralScan): Suspect[] {
  const suspects: Suspect[] = []
  for (let text = 0; text < texts.length; text += 1) {
    const whole = texts[text] ?? ''
    const place = findNeedle(whole)
    if (place === -1) continue
    for (const { start, end } of windowsFrom(place, whole, findNeedle)) {
      suspects.push({ text, start, content: whole.slice(start, end) })
    }
  }
  return suspects
}

function windowsFrom(first: number, text: string, findNeedle: LiteralScan): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = []
  for (let place = first; place !== -1; place = findNeedle(text, place + stride)) {
    const start = Math.max(0, place - reach)
    const end = place + reach
    const last = windows.at(-1)
    if (last === undefined || start > last.end) windows.push({ start, end })
    else last.end = end
  }
  return windows
}
