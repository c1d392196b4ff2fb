import { ScimRefusal } from './scim-refusal.ts'

export type FilterToken =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'mark'; readonly text: '(' | ')' | '[' | ']' | '.' }

const lengthMax = 2_000

/** Splits a filter or a path. No alternative of a pattern begins like another one, so that none backtracks. */
export function tokenizeFilter(text: string): FilterToken[] {
  if (text.length > lengthMax) throw refuse(`A filter can have at most ${lengthMax} characters.`)
  const tokens: FilterToken[] = []
  let position = 0
  while (position < text.length) {
    const [length, token] = readToken(text, position)
    if (token !== null) tokens.push(token)
    position += length
  }
  return tokens
}

const space = /\s+/y
// A dot within a name belongs to it; one after a bracket is a mark. Names may have a schema, with a version: `2.0`.
const word = /[a-z$][\w$:.-]*/iy
const number = /-?\d+(?:\.\d+)?(?![\w.])/y
const string = /"(?:[^"\\]|\\.)*"/sy
const mark = /[()[\].]/y

function readToken(text: string, position: number): [number, FilterToken | null] {
  const at = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(text)?.[0]
  }
  const blank = at(space)
  if (blank !== undefined) return [blank.length, null]
  const name = at(word)
  if (name !== undefined) return [name.length, { kind: 'word', text: name }]
  const digits = at(number)
  if (digits !== undefined) return [digits.length, { kind: 'number', value: Number(digits) }]
  const quoted = at(string)
  if (quoted !== undefined) return [quoted.length, { kind: 'string', value: unquote(quoted) }]
  const sign = at(mark)
  if (sign === '(' || sign === ')' || sign === '[' || sign === ']' || sign === '.') {
    return [1, { kind: 'mark', text: sign }]
  }
  throw refuse(`Unexpected character at position ${position + 1} of the filter.`)
}

/** Strings are JSON strings. */
function unquote(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted)
    if (typeof value === 'string' && !value.includes('\0') && value.isWellFormed()) return value
  } catch {
    // Falls through to the refusal.
  }
  throw refuse('A string of the filter is not a valid JSON string.')
}

function refuse(message: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', message)
}
