import type { Token } from '../lib/tokenize.ts'
import { type FunctionBody, findFunctionBodies } from './find-function-bodies.ts'
import type { Brackets } from './match-brackets.ts'

/**
 * Finds the names that receive the value at a position: the variable or property that it is assigned to, or the
 * function that returns it. Statements are separated by lines, as the formatter writes them.
 */
export function createReceiverFinder(tokens: readonly Token[], brackets: Brackets): (at: number) => string[] {
  const bodies = findFunctionBodies(tokens, brackets)
  return (at) => {
    for (let place = at - 1; place >= 0 && !startsStatement(tokens, place + 1); place -= 1) {
      const { text, kind } = tokens[place] ?? { text: '', kind: 'punctuator' }
      if (kind === 'word' && text === 'return') return findFunctionName(tokens, brackets, bodyAround(bodies, place))
      if (kind !== 'punctuator') continue
      if (text === '{' || text === ';') return []
      if (isProperty(tokens, place)) return [tokens[place - 1]?.text ?? '']
      if (isAssignment(tokens, place)) return findAssigned(tokens, brackets, place)
      if (')]}'.includes(text)) place = brackets.partnerOf(place) ?? 0
      if (text === ',') place = openingBefore(tokens, brackets, place) + 1
    }
    return []
  }
}

/** The open bracket around a position. Arguments and entries before the position are skipped. */
function openingBefore(tokens: readonly Token[], brackets: Brackets, at: number): number {
  let place = at - 1
  while (place > 0 && !isPunctuator(tokens, place, '([{')) {
    place = (isPunctuator(tokens, place, ')]}') ? (brackets.partnerOf(place) ?? 0) : place) - 1
  }
  return place
}

function isPunctuator(tokens: readonly Token[], at: number, texts: string): boolean {
  return tokens[at]?.kind === 'punctuator' && texts.includes(tokens[at]?.text ?? ' ')
}

/** A word on a new line, after something that can end a statement or open a block. */
function startsStatement(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (before === undefined || token === undefined) return true
  if (token.kind !== 'word' || token.line === before.line) return false
  return before.kind !== 'punctuator' || isPunctuator(tokens, at - 1, ')]}{;')
}

/** `{ name: value` and `, name: value`, but not `condition ? name : value`. */
function isProperty(tokens: readonly Token[], colon: number): boolean {
  const [name, sign] = [tokens[colon - 1], tokens[colon]]
  return name?.kind === 'word' && sign?.text === ':' && isPunctuator(tokens, colon - 2, '{,;')
}

function isAssignment(tokens: readonly Token[], at: number): boolean {
  const isPart = (place: number) => ['=', '<', '>', '!'].includes(tokens[place]?.text ?? '')
  return tokens[at]?.text === '=' && tokens[at]?.kind === 'punctuator' && !isPart(at - 1) && !isPart(at + 1)
}

/** `name =`, `name: type =`, `[name, name] =` and `name[key] =`. */
function findAssigned(tokens: readonly Token[], brackets: Brackets, sign: number): string[] {
  const last = tokens[sign - 1]
  if (last?.text === ']') {
    const open = brackets.partnerOf(sign - 1) ?? 0
    const before = tokens[open - 1]
    if (before?.kind === 'word' && !['const', 'let'].includes(before.text)) return [before.text]
    return tokens.slice(open, sign).flatMap(({ kind, text }) => (kind === 'word' ? [text] : []))
  }
  if (last?.kind !== 'word') return []
  const isTyped = tokens[sign - 2]?.text === ':' && tokens[sign - 3]?.kind === 'word'
  return [isTyped ? (tokens[sign - 3]?.text ?? '') : last.text]
}

function bodyAround(bodies: readonly FunctionBody[], at: number): FunctionBody | undefined {
  return bodies.filter(({ open, close }) => open < at && at < close).toSorted((one, other) => other.open - one.open)[0]
}

/** Walks back from a body over parameters and a return type to `function name` or `name =`. */
function findFunctionName(tokens: readonly Token[], brackets: Brackets, body: FunctionBody | undefined): string[] {
  for (let place = (body?.open ?? 0) - 1; place >= 0; place -= 1) {
    const text = tokens[place]?.text ?? ''
    if (text === 'function') return [tokens[place + 1]?.text ?? '']
    if (isAssignment(tokens, place)) return findAssigned(tokens, brackets, place)
    if (['(', '{', ','].includes(text) || startsStatement(tokens, place)) return []
    if (')]}'.includes(text)) place = brackets.partnerOf(place) ?? 0
  }
  return []
}
