import { hasSequence } from './has-sequence.ts'
import type { Token } from './tokenize.ts'

/**
 * Every module that a file references: imports and re-exports (including types), dynamic imports, `import('x').Type`,
 * and `new URL('./x.ts', import.meta.url)`, which names the file of a worker thread.
 */
export function readImports(tokens: readonly Token[]): Import[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || tokens[at - 1]?.text === '.') return []
    const found = findSpecifier(tokens, at)
    if (found === undefined) return []
    return [{ specifier: found.text, line: found.line, isTypeOnly: isTypeOnly(tokens, at) }]
  })
}

export type Import = {
  readonly specifier: string
  readonly line: number
  /** `import type` and `export type` do not exist at run time. */
  readonly isTypeOnly: boolean
}

/** `type` can also be a name: `import type from 'x'` imports a value. */
function isTypeOnly(tokens: readonly Token[], at: number): boolean {
  return hasSequence(tokens, at + 1, ['type']) && !hasSequence(tokens, at + 1, ['type', 'from'])
}

function findSpecifier(tokens: readonly Token[], at: number): Token | undefined {
  switch (tokens[at]?.text) {
    case 'import':
      return stringAt(tokens, at + 1) ?? dynamicSpecifier(tokens, at) ?? specifierAfterFrom(tokens, at + 1)
    case 'export':
      return specifierAfterFrom(tokens, at + 1)
    case 'new':
      return workerSpecifier(tokens, at)
    default:
      return undefined
  }
}

function dynamicSpecifier(tokens: readonly Token[], at: number): Token | undefined {
  if (tokens[at + 1]?.text !== '(') return undefined
  const literal = stringAt(tokens, at + 2)
  if (literal !== undefined) return literal
  // A template without expressions counts as a string.
  const template = tokens[at + 2]
  return template?.kind === 'template' && tokens[at + 3]?.text !== '{' ? template : undefined
}

function workerSpecifier(tokens: readonly Token[], at: number): Token | undefined {
  const specifier = stringAt(tokens, at + 3)
  const isUrl =
    hasSequence(tokens, at, ['new', 'URL', '(']) && hasSequence(tokens, at + 4, [',', 'import', '.', 'meta'])
  return isUrl && specifier?.text.endsWith('.ts') ? specifier : undefined
}

/** Reads an import or export clause (names, braces, commas, a star) up to its `from`. Anything else is not a clause. */
function specifierAfterFrom(tokens: readonly Token[], start: number): Token | undefined {
  let inBraces = false
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) return undefined
    if (token.text === 'from' && stringAt(tokens, at + 1) !== undefined) return stringAt(tokens, at + 1)
    if (token.text === '{') inBraces = true
    else if (token.text === '}') return hasSequence(tokens, at + 1, ['from']) ? stringAt(tokens, at + 2) : undefined
    else if (!mayStandInClause(token, inBraces)) return undefined
  }
  return undefined
}

const declarationWords = new Set(
  'const let var function class async abstract interface enum declare default'.split(' '),
)

function mayStandInClause(token: Token, inBraces: boolean): boolean {
  if (token.kind === 'word') return inBraces || !declarationWords.has(token.text)
  if (token.kind === 'string') return inBraces
  return token.kind === 'punctuator' && (token.text === ',' || token.text === '*')
}

function stringAt(tokens: readonly Token[], at: number): Token | undefined {
  const token = tokens[at]
  return token?.kind === 'string' ? token : undefined
}
