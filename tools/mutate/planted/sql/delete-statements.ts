import type { SqlChange } from './sql-change.ts'
import { type SqlToken, tokenizeSql } from '../../../lib/tokenize-sql.ts'

const kind = 'statement deleted'

/** Every change that removes one statement of a PL/pgSQL function, or a part of a `WITH` that nothing reads. */
export function deleteStatements(definition: string): SqlChange[] {
  const tokens = tokenizeSql(definition)
  const bodyAt = tokens.findIndex(({ text }) => text === 'BEGIN')
  if (bodyAt === -1) return []
  return [...wholeStatements(tokens, bodyAt), ...withinWith(tokens, bodyAt)]
}

/** Follows the control structures of the body. Anything else is a statement, up to its semicolon. */
function wholeStatements(tokens: readonly SqlToken[], bodyAt: number): SqlChange[] {
  const found: SqlChange[] = []
  let at = bodyAt
  while (at < tokens.length) {
    const word = tokens[at]?.text.toUpperCase() ?? ''
    const end = opener[word]
    if (end !== undefined) {
      at = end === '' ? at + 1 : skipTo(tokens, at + 1, end) + 1
      continue
    }
    const last = skipTo(tokens, at, ';')
    const [first, semicolon] = [tokens[at], tokens[last]]
    if (word !== 'END' && first !== undefined && semicolon !== undefined) {
      found.push({ kind, start: first.start, end: semicolon.start, replace: 'NULL' })
    }
    at = last + 1
  }
  return found
}

/** The word that ends the head of a control structure. Empty: its first statement follows immediately. */
const opener: Readonly<Record<string, string>> = {
  BEGIN: '',
  LOOP: '',
  ELSE: '',
  EXCEPTION: 'THEN',
  WHEN: 'THEN',
  IF: 'THEN',
  ELSIF: 'THEN',
  FOR: 'LOOP',
  WHILE: 'LOOP',
}

/** The next of these words outside parentheses and `CASE … END`. */
function skipTo(tokens: readonly SqlToken[], from: number, wanted: string): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    const word = tokens[at]?.text.toUpperCase() ?? ''
    if (depth === 0 && word === wanted) return at
    if (word === '(' || word === 'CASE') depth += 1
    if (word === ')' || (word === 'END' && depth > 0)) depth -= 1
  }
  return tokens.length
}

/** `name AS (UPDATE …)` in a `WITH`, if the name is not used elsewhere. */
function withinWith(tokens: readonly SqlToken[], bodyAt: number): SqlChange[] {
  return tokens.flatMap((token, at) => {
    const [as, open, verb] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]]
    if (at < bodyAt || token.kind !== 'word' || as?.text !== 'AS' || open?.text !== '(' || verb === undefined) return []
    if (!/^(?:INSERT|UPDATE|DELETE)$/.test(verb.text)) return []
    if (tokens.filter(({ text }) => text === token.text).length > 1) return []
    const close = tokens[skipTo(tokens, at + 3, ')')]
    return close === undefined ? [] : [{ kind, start: verb.start, end: close.start, replace: 'SELECT' }]
  })
}
