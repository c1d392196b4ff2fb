import type { SqlChange } from './sql-change.ts'
import { type SqlToken, tokenizeSql } from '../../../lib/tokenize-sql.ts'

const shifted: Readonly<Record<string, string>> = { '>=': '>', '>': '>=', '<=': '<', '<': '<=', '<>': '=' }
const turned: Readonly<Record<string, string>> = { '+': '-', '-': '+' }
const joined: Readonly<Record<string, string>> = { AND: 'OR', OR: 'AND' }
const extremes: Readonly<Record<string, string>> = { GREATEST: 'LEAST', LEAST: 'GREATEST', MIN: 'MAX', MAX: 'MIN' }
const constants: Readonly<Record<string, string>> = { '0': '1', '1': '0' }

/** Every change of one operator, word or constant in a function's definition. */
export function changeTokens(definition: string): SqlChange[] {
  const tokens = tokenizeSql(definition)
  const bodyAt = tokens.findIndex(({ kind, text }) => kind === 'word' && /^(?:BEGIN|SELECT|RETURN)$/i.test(text))
  return tokens.flatMap((token, at) => {
    if (at < bodyAt) return []
    const found = changeAt(tokens, at)
    return found === null
      ? []
      : [{ kind: found[0], start: token.start, end: token.start + token.text.length, replace: found[1] }]
  })
}

type Found = readonly [kind: string, replace: string] | null

function changeAt(tokens: readonly SqlToken[], at: number): Found {
  const { kind, text } = tokens[at] ?? { kind: 'mark', text: '' }
  const word = text.toUpperCase()
  switch (kind) {
    case 'operator':
      return (
        named('comparison shifted', shifted[text]) ??
        named('sign turned', isBinary(tokens, at) ? turned[text] : undefined)
      )
    case 'number':
      return named('constant changed', isPosition(tokens, at) ? undefined : constants[text])
    case 'word':
      if (word === 'NULL') return nullTest(tokens, at)
      if (word === 'NOT') return wordAt(tokens, at + 1) === 'NULL' ? null : ['NOT dropped', '']
      return named('AND and OR exchanged', joined[word]) ?? extremeOf(tokens, at, word)
    default:
      return null
  }
}

function named(kind: string, replace: string | undefined): Found {
  return replace === undefined ? null : [kind, replace]
}

function extremeOf(tokens: readonly SqlToken[], at: number, word: string): Found {
  return named('extreme exchanged', tokens[at + 1]?.text === '(' ? extremes[word] : undefined)
}

/** Swaps `IS NULL` and `IS NOT NULL`. */
function nullTest(tokens: readonly SqlToken[], at: number): Found {
  if (wordAt(tokens, at - 1) === 'IS') return ['null test turned', 'NOT NULL']
  // `IS NOT (NULL)` is not valid SQL, but `IS NOT DISTINCT FROM NULL` means `IS NULL`.
  if (wordAt(tokens, at - 1) === 'NOT' && wordAt(tokens, at - 2) === 'IS')
    return ['null test turned', 'DISTINCT FROM NULL']
  return null
}

/** An operator after a value is binary; a sign before a number belongs to the number. */
function isBinary(tokens: readonly SqlToken[], at: number): boolean {
  const before = tokens[at - 1]
  return before !== undefined && (before.kind === 'word' || before.kind === 'number' || /^[)\]]$/.test(before.text))
}

/** `GROUP BY 1, 2` and `ORDER BY 1, 2` name columns, and in `SELECT 1` any constant works. */
function isPosition(tokens: readonly SqlToken[], at: number): boolean {
  const before = wordAt(tokens, at - 1)
  if (before === 'SELECT' || before === 'PERFORM' || before === 'BY') return true
  return before === ',' && tokens[at - 2]?.kind === 'number' && isPosition(tokens, at - 2)
}

function wordAt(tokens: readonly SqlToken[], at: number): string {
  return tokens[at]?.text.toUpperCase() ?? ''
}
