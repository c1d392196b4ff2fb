import type { Token } from './tokenize.ts'

/** What each `import { … } from '…'` of a file takes by name, without types, which are gone when the program runs. */
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
  /** As the imported file calls them. */
  readonly names: readonly string[]
  readonly specifier: string
  /** Where the statement begins. */
  readonly line: number
}

function namesIn(tokens: readonly Token[]): string[] {
  const items: string[][] = [[]]
  for (const { text } of tokens) {
    if (text === ',') items.push([])
    else items.at(-1)?.push(text)
  }
  // `type X` is a type, `type as y` and `type` alone are values of that name.
  return items.flatMap(([name, next]) =>
    name === undefined || (name === 'type' && next !== undefined && next !== 'as') ? [] : [name],
  )
}
