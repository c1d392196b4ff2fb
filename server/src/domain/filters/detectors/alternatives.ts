/** Joins comma-separated words and pattern pieces into one alternation. */
export function anyOf(pieces: string): string {
  return `(?:${pieces
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('|')})`
}
