/** One row of a verdict table: the columns that identify what is judged, the verdict, and its reason. */
interface VerdictRow<Word extends string> {
  readonly judged: readonly string[]
  readonly verdict: Word
  readonly reason: string
}

/**
 * Columns are separated by tabs. The verdict and its reason follow the `judged` columns. The first line is the header.
 */
export function parseVerdictRows<Word extends string>(
  text: string,
  { judged, words }: { judged: number; words: readonly Word[] },
): VerdictRow<Word>[] {
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map((line, at) => {
    const columns = line.split('\t')
    const [said = '', reason = ''] = columns.slice(judged)
    const verdict = words.find((word) => word === said)
    if (verdict === undefined) throw new Error(`line ${at + 2} has the verdict "${said}"`)
    if (reason === '') throw new Error(`line ${at + 2} gives no reason`)
    return { judged: columns.slice(0, judged), verdict, reason }
  })
}
