export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** The first `wordsMax` words of a text. */
export function firstWords(text: string, wordsMax: number): string {
  let count = 0
  for (const word of text.matchAll(/\S+/g)) {
    if (count === wordsMax) return text.slice(0, word.index).trimEnd()
    count += 1
  }
  return text
}

/** One piece per word with the whitespace after it; together they are the text. */
export function piecesOf(text: string): string[] {
  if (text === '') return []
  // Whitespace follows its word in the pattern: in the other order, a long trailing run would be tried from each
  // position.
  const [first, ...others] = text.match(/\S+\s*/g) ?? []
  if (first === undefined) return [text]
  return [text.slice(0, text.search(/\S/)) + first, ...others]
}

/** Repeats the fixed paragraph up to this number of words. */
export function repeatWords(count: number): string {
  const words = paragraph.split(' ')
  return Array.from({ length: count }, (_, at) => words[at % words.length]).join(' ')
}

export const paragraph =
  'Water finds its own level. A weir keeps a river deep enough to travel and lets the rest pass over, ' +
  'evenly and without haste, whatever the weather was upstream.'
