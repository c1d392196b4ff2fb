/** Words and pieces of patterns, separated by commas, as the alternatives of one pattern. */
export function anyOf(pieces: string): string {
  return `(?:${pieces
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('|')})`
}
