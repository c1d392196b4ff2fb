import type { Token } from './tokenize.ts'

/**
 * The names that each `import { … } from '…'` of a file imports. Types are left out because they do not exist at run
 * time.
 */
export function readImportedNames(tokens: readonly Token[]): ImportedNames[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'import' || token.kind !== 'word' || tokens[at + 1]?.text !== '{') return []
    const end = tokens.findIndex(({ text }, index) => index > at && text === '}')
    const specifier = tokens[end + 2]
    if (tokens[end + 1]?.text !== 'from' || specifier?.kind !== 'string') return []
    return [{ names: namesIn(tokens.slice(at + 2, end)), specifier: specifier.text, line: token.line }]
  })
}

type ImportedNames = {
  /** The names in the imported file. */
  readonly names: readonly string[]
  readonly specifier: string
  /** The first line of the statement. */
  readonly line: number
}

function namesIn(tokens: readonly Token[]): string[] {
  const items: string[][] = [[]]
  for (const { text } of tokens) {
    if (text === ',') items.push([])
    else items.at(-1)?.push(text)
  }
  // `type X` is a type; `type as y` and `type` alone are values of that name.
  return items.flatMap(([name, next]) =>
    name === undefined || (name === 'type' && next !== undefined && next !== 'as') ? [] : [name],
  )
}
