import { ScimRefusal } from './scim-refusal.ts'
import { type FilterToken, tokenizeFilter } from './tokenize-filter.ts'

/** A filter of RFC 7644, section 3.4.2.2. Attribute names are in lower case and have no schema prefix. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly left: ScimFilter; readonly right: ScimFilter }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'compare'; readonly attribute: string; readonly operator: Operator; readonly value: Literal }
  /** One value of a multi-valued attribute matches the filter, whose attributes are those of the value. */
  | { readonly kind: 'within'; readonly attribute: string; readonly filter: ScimFilter }

export type Literal = string | number | boolean | null
export type Operator = (typeof operators)[number]

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
/** Parentheses, brackets and `not` within each other. */
const depthMax = 16

/** Parses a filter. Its length and depth are bounded, and reading takes time in proportion to its length. */
export function parseScimFilter(text: string): ScimFilter {
  const reader = new FilterReader(tokenizeFilter(text))
  const filter = reader.readOr(0)
  reader.assertEnd()
  return filter
}

/** Reads a filter from tokens, one function per precedence: `or` binds the least. */
export class FilterReader {
  readonly #tokens: readonly FilterToken[]
  #position = 0

  constructor(tokens: readonly FilterToken[]) {
    this.#tokens = tokens
  }

  readOr(depth: number): ScimFilter {
    let left = this.#readAnd(depth)
    while (this.takeWord('or')) left = { kind: 'or', left, right: this.#readAnd(depth) }
    return left
  }

  #readAnd(depth: number): ScimFilter {
    let left = this.#readTerm(depth)
    while (this.takeWord('and')) left = { kind: 'and', left, right: this.#readTerm(depth) }
    return left
  }

  #readTerm(depth: number): ScimFilter {
    if (depth > depthMax) throw refuse(`A filter can have at most ${depthMax} levels of nesting.`)
    if (this.takeWord('not')) {
      this.expect('(')
      return { kind: 'not', filter: this.#readUntil(')', depth) }
    }
    if (this.take('(')) return this.#readUntil(')', depth)
    return this.#readComparison(depth)
  }

  #readUntil(close: ')' | ']', depth: number): ScimFilter {
    const filter = this.readOr(depth + 1)
    this.expect(close)
    return filter
  }

  #readComparison(depth: number): ScimFilter {
    const attribute = this.readAttribute()
    if (this.take('[')) {
      const filter = this.#readUntil(']', depth)
      // `emails[type eq "work"].value eq "…"`, as Entra sends it: both conditions hold for the same value.
      if (!this.take('.')) return { kind: 'within', attribute, filter }
      const right = this.#readOperation(this.readAttribute())
      return { kind: 'within', attribute, filter: { kind: 'and', left: filter, right } }
    }
    return this.#readOperation(attribute)
  }

  #readOperation(attribute: string): ScimFilter {
    const token = this.next()
    const word = token?.kind === 'word' ? token.text.toLowerCase() : ''
    if (word === 'pr') return { kind: 'present', attribute }
    const operator = operators.find((known) => known === word)
    if (operator === undefined) throw refuse(`Expected an operator such as eq after ${attribute}.`)
    return { kind: 'compare', attribute, operator, value: this.#readLiteral() }
  }

  #readLiteral(): Literal {
    const token = this.next()
    if (token?.kind === 'string' || token?.kind === 'number') return token.value
    const word = token?.kind === 'word' ? token.text.toLowerCase() : ''
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    throw refuse('A filter compares with a string in double quotes, a number, true, false or null.')
  }

  readAttribute(): string {
    const token = this.next()
    if (token?.kind !== 'word') throw refuse('Expected the name of an attribute.')
    return withoutSchema(token.text)
  }

  takeWord(word: string): boolean {
    const token = this.#tokens[this.#position]
    return token?.kind === 'word' && token.text.toLowerCase() === word ? this.#advance() : false
  }

  take(mark: '(' | ')' | '[' | ']' | '.'): boolean {
    const token = this.#tokens[this.#position]
    return token?.kind === 'mark' && token.text === mark ? this.#advance() : false
  }

  expect(mark: '(' | ')' | '[' | ']'): void {
    if (!this.take(mark)) throw refuse(`Expected ${mark}.`)
  }

  next(): FilterToken | undefined {
    const token = this.#tokens[this.#position]
    this.#position += 1
    return token
  }

  isEnd(): boolean {
    return this.#position >= this.#tokens.length
  }

  assertEnd(): void {
    if (!this.isEnd()) throw refuse('The filter has text after its end.')
  }

  #advance(): true {
    this.#position += 1
    return true
  }
}

const corePrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Names without the core schema that they may be prefixed with, in lower case. Other schemas stay in the name. */
export function withoutSchema(name: string): string {
  return name.toLowerCase().replace(corePrefix, '')
}

function refuse(message: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', message)
}
