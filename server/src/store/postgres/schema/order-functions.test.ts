import { describe, expect, it } from 'vitest'
import { functionsCalledBy, orderFunctions } from './order-functions.ts'

const file = (name: string, ...calls: string[]) => ({
  name,
  text: `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer AS $$ SELECT ${calls.map((call) => `${call} (1)`).join()} $$`,
})
const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name)

describe('the order of functions', () => {
  it('puts called functions before their callers, and is otherwise that of names', () => {
    expect(namesOf(orderFunctions([file('a', 'c'), file('b'), file('c', 'd'), file('d')]))).toEqual([
      'd',
      'c',
      'a',
      'b',
    ])
  })

  it('has each function once, also where two call each other or one itself', () => {
    expect(namesOf(orderFunctions([file('a', 'b'), file('b', 'a', 'b')]))).toEqual(['b', 'a'])
  })
})

describe('the functions that a text calls', () => {
  const functions = [file('a'), file('b', 'c'), file('c'), file('d')]

  it('are those it names before a parenthesis, and those they call', () => {
    const text = 'CREATE TABLE t (x integer DEFAULT b()); CREATE TRIGGER t_a BEFORE INSERT ON t EXECUTE FUNCTION a ()'
    expect(namesOf(functionsCalledBy(text, functions))).toEqual(['a', 'c', 'b'])
  })

  it('are not those that stand in a comment, are part of another word or are not called', () => {
    expect(functionsCalledBy('-- like d()\nSELECT bad(), d', functions)).toEqual([])
  })
})
