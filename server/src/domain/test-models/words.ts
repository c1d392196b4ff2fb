export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** The text up to and with its word number `wordsMax`. */
export function firstWords(text: string, wordsMax: number): string {
  let count = 0
  for (const word of text.matchAll(/\S+/g)) {
    if (count === wordsMax) return text.slice(0, word.index).trimEnd()
    count += 1
  }
  return text
}

/** One piece for each word with the blanks after it; together they are the text again. */
export function piecesOf(text: string): string[] {
  if (text === '') return []
  // Blanks follow their word in the pattern: the other way round, a long run of them at the end is tried from each
  // blank.
  const [first, ...others] = text.match(/\S+\s*/g) ?? []
  if (first === undefined) return [text]
  return [text.slice(0, text.search(/\S/)) + first, ...others]
}

/** That many words, the fixed paragraph over and over. */
export function repeatWords(count: number): string {
  const words = paragraph.split(' ')
  return Array.from({ length: count }, (_, at) => words[at % words.length]).join(' ')
}

export const paragraph =
  'Water finds its own level. A weir keeps a river deep enough to travel and lets the rest pass over, ' +
  'evenly and without haste, whatever the weather was upstream.'
