/** Length of the texts that a pattern must handle before it is saved. */
export const hostileTextLength = 200_000

/**
 * Texts that slow this pattern down. They use its own letters, because only near-matches keep an automaton busy. Each
 * text is tried as it is and with all letters of the pattern appended, so that a search for required letters cannot end
 * early.
 */
export function* hostileTexts(pattern: string): Iterable<string> {
  const letters = lettersOf(pattern)
  const [first = 'a', second = 'b', third = '1'] = letters
  const tail = ` ${letters.join('')} ${literalsOf(pattern).join(' ')}`
  const units = [first, second, first + second, first + first + second, `${first} `, literalsOf(pattern).join('')]
  const bodies = [
    ...units.filter((unit) => unit !== '').map((unit) => fill(unit)),
    random([first, second]),
    random([first, second, third, ' ']),
    random(letters),
    fill(prose),
    random([...letters, 'é', 'ß', 'Ж', '世', '😀', '\n']),
  ]
  for (const body of bodies) {
    yield body
    yield body + tail
  }
}

const prose =
  'The customer wrote on 12.03.2031 at 10:15 that order 4711-0815 had not arrived; see https://shop.example/a?b=c&d=1. "Why?" she asked.\n'

/** The literal letters of the pattern, and one of each class it names. */
function lettersOf(pattern: string): string[] {
  const named = [...pattern.matchAll(/\\(\\?[dDwWsSpP])/g)].flatMap(([, name]) => classSamples[name ?? ''] ?? [])
  const written = [...literalsOf(pattern).join('')]
  const letters = [...new Set([...written, ...named])]
  return letters.length >= 2 ? letters : [...letters, 'a', 'b']
}

const classSamples: Readonly<Record<string, readonly string[]>> = {
  d: ['1', '0'],
  D: ['a', '-'],
  w: ['a', 'b'],
  W: [' ', '-'],
  s: [' ', '\n'],
  S: ['a', 'b'],
  p: ['a', 'B', 'é'],
  P: ['1', '-'],
}

/** The literal runs of a pattern. */
function literalsOf(pattern: string): string[] {
  return pattern
    .replaceAll(/\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[a-zA-Z]|\(\?[a-zP<>:-]*|\{[\d,]+\}/g, ' ')
    .replaceAll(/[()[\]{}|*+?^$.\\]/g, ' ')
    .split(/\s+/)
    .filter((literal) => literal !== '')
}

function fill(unit: string): string {
  return unit.repeat(Math.ceil(hostileTextLength / unit.length)).slice(0, hostileTextLength)
}

/** Random, so that no automaton can adapt to an order, but deterministic. */
function random(letters: readonly string[]): string {
  let state = 0x2545f491
  return Array.from({ length: hostileTextLength }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return letters[(state >>> 8) % letters.length] ?? 'a'
  }).join('')
}
