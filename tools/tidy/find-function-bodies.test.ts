import { describe, expect, it } from 'vitest'
import { tokensOf } from '../lib/tokens-of.ts'
import { findFunctionBodies } from './find-function-bodies.ts'
import { matchBrackets } from './match-brackets.ts'

const body = '{\n  work()\n}'

function countBodies(text: string): number {
  const tokens = tokensOf({ path: 'a.ts', text })
  return findFunctionBodies(tokens, matchBrackets(tokens)).length
}

describe('findFunctionBodies', () => {
  it.each([
    ['a function', 'function work() '],
    ['a function with a return type', 'function work<T>(input: T[]): Promise<Map<string, { a: T }[]>> '],
    ['a function with an object type', 'function work(): { allowed: true } | { allowed: false } '],
    ['a type guard', 'function work(value: unknown): value is string '],
    ['an arrow function', 'const work = (input: string): string => '],
    ['a bare arrow function', 'const work = input => '],
  ])('finds the body of %s', (_, opening) => {
    expect(countBodies(opening + body)).toBe(1)
  })

  it('finds the body of a method', () => {
    expect(countBodies(`const object = { async work(input) ${body} }`)).toBe(1)
  })

  it('does not take blocks and objects for functions', () => {
    const text = `const table = ${body}\nif (work()) ${body}\nfor await (const x of y()) ${body}
      const either = work() ? work() : ${body}\nswitch (work(1)) { case work(2): ${body} }\nclass A ${body}`
    expect(countBodies(text)).toBe(0)
  })
})
