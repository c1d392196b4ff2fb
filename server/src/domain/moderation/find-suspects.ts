import type { LiteralScan } from '#lib/literal-scan.ts'

/** A piece of a text that may violate a policy. */
export interface Suspect {
  /** Which of the texts, and from which character on. */
  readonly text: number
  readonly start: number
  readonly content: string
}

/** Twice as far as any pattern reaches from its needle in texts as people write them. */
const reach = 600
// Needles so close behind one have enough around them already. Without this, a text of needles alone would be looked at
// letter by letter.
const stride = reach / 2

/** What surrounds the needles in each text; pieces that touch are one. A long text with one needle is a short piece. */
export function findSuspects(texts: readonly string[], findNeedle: LiteralScan): Suspect[] {
  return texts.flatMap((whole, text) =>
    windowsOf(whole, findNeedle).map(({ start, end }) => ({ text, start, content: whole.slice(start, end) })),
  )
}

function windowsOf(text: string, findNeedle: LiteralScan): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = []
  for (let place = findNeedle(text); place !== -1; place = findNeedle(text, place + stride)) {
    const start = Math.max(0, place - reach)
    const end = place + reach
    const last = windows.at(-1)
    if (last === undefined || start > last.end) windows.push({ start, end })
    else last.end = end
  }
  return windows
}
