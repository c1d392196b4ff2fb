import type { Token } from '../lib/tokenize.ts'
import type { Brackets } from './match-brackets.ts'

/**
 * Finds the braces of function bodies: after `=>`, or after parameters that do not belong to a control word, with or
 * without a return type.
 */
export function findFunctionBodies(tokens: readonly Token[], brackets: Brackets): FunctionBody[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'punctuator') return []
    const open =
      token.text === '=>' ? at + 1 : token.text === '(' ? bodyAfterParameters(tokens, brackets, at) : undefined
    if (open === undefined || !isPunctuator(tokens[open], '{')) return []
    const close = brackets.partnerOf(open)
    return close === undefined ? [] : [{ open, close }]
  })
}

export type FunctionBody = { readonly open: number; readonly close: number }

const controlWords = new Set('if for while switch catch with await'.split(' '))

function bodyAfterParameters(tokens: readonly Token[], brackets: Brackets, open: number): number | undefined {
  const before = tokens[open - 1]
  const isMethodName = tokens[open - 2]?.text === '.'
  if (before?.kind === 'word' && controlWords.has(before.text) && !isMethodName) return undefined
  const close = brackets.partnerOf(open)
  if (close === undefined) return undefined
  return isPunctuator(tokens[close + 1], ':') ? endOfType(tokens, brackets, close + 2) : close + 1
}

const typePrefixes = new Set('keyof typeof readonly asserts unique infer'.split(' '))
const typeConnectives = new Set(['|', '&', '.', '?', ':', '=>', 'is', 'extends'])

/** The position after a type that starts at `start`: operands with their brackets, joined by connectives. */
function endOfType(tokens: readonly Token[], brackets: Brackets, start: number): number {
  let at = start
  while (at < tokens.length) {
    while (typePrefixes.has(tokens[at]?.text ?? '') || isPunctuator(tokens[at], '|')) at += 1
    at = endOfBracketsOrToken(tokens, brackets, at)
    for (let last = -1; last !== at; ) {
      last = at
      if (isPunctuator(tokens[at], '<')) at = endOfTypeArguments(tokens, at)
      else if (isPunctuator(tokens[at], '[')) at = endOfBracketsOrToken(tokens, brackets, at)
    }
    // An arrow here belongs to a function type, whose result is another operand.
    if (!typeConnectives.has(tokens[at]?.text ?? '')) return at
    at += 1
  }
  return at
}

function endOfBracketsOrToken(tokens: readonly Token[], brackets: Brackets, at: number): number {
  return '([{'.includes(tokens[at]?.text ?? ' ') ? (brackets.partnerOf(at) ?? at) + 1 : at + 1
}

function endOfTypeArguments(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at += 1) {
    if (isPunctuator(tokens[at], '<')) depth += 1
    if (isPunctuator(tokens[at], '>')) depth -= 1
    if (depth === 0) return at + 1
  }
  return tokens.length
}

function isPunctuator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'punctuator' && token.text === text
}
