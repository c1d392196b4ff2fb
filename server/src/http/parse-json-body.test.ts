import { afterEach, describe, expect, it, vi } from 'vitest'
import { assertJsonBody, parseJsonBody } from './parse-json-body.ts'

afterEach(() => vi.restoreAllMocks())

describe('a body that breaks a limit', () => {
  it.each([
    ['[B1] has a field named `__proto__`', `{"__proto__":1,"x":[${'1,'.repeat(100_000)}1]}`, '`__proto__`'],
    ['[B12] lists too many numbers', `{"x":[${'1,'.repeat(100_001)}1]}`, '100000 numbers'],
    ['[B12] has too many values', `{"x":[${'"",'.repeat(100_000)}1]}`, '100000 values'],
    ['[B12] has too many names in one object', `{"x":{${'"a":1,'.repeat(10_000)}"b":1}}`, '10000 keys'],
    ['[LIMIT-13] is nested too deep', `${'['.repeat(65)}${']'.repeat(65)}`, '64 levels'],
  ])('%s: it is refused, and no parser sees it', (_name, text, words) => {
    const parse = vi.spyOn(JSON, 'parse')
    const bytes = Buffer.from(text)
    const decode = vi.spyOn(bytes, 'toString')
    expect(() => parseJsonBody(bytes)).toThrow(expect.objectContaining({ errorName: 'malformedRequest' }))
    expect(() => parseJsonBody(bytes)).toThrow(words)
    expect(parse).not.toHaveBeenCalled()
    expect(decode).not.toHaveBeenCalled()
  })

  it('[B1] is parsed without a function that is called for each value', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(parseJsonBody(Buffer.from('{"a":"__proto__ \\u005f"}'))).toEqual({ a: '__proto__ _' })
    expect(parse.mock.calls.map((call) => call.length)).toEqual([1])
  })

  it('[B12] may list more numbers where an endpoint takes them', () => {
    const bytes = Buffer.from(`{"x":[${'1,'.repeat(100_001)}1]}`)
    expect(parseJsonBody(bytes, { numbersMax: 200_000 }).x).toHaveLength(100_002)
  })
})

it('[B1] the beginning of a body is refused where the whole would be, and never otherwise', () => {
  const whole = Buffer.from(`{"a":[${'"text\\u0041",'.repeat(20)}1],"b":{"c":[1,2,3,-4.5e6]},"d":"\\"}{"}`)
  const limits = { depthMax: 3, nodesMax: 40, numbersMax: 5, namesMax: 5 }
  for (let end = 0; end <= whole.length; end += 1) {
    expect(() => assertJsonBody(whole.subarray(0, end), limits)).not.toThrow()
  }
  const bomb = Buffer.from(`{"__proto__":1,"x":[1,1,1,1,1,1,1,1`)
  expect(() => assertJsonBody(bomb)).toThrow('`__proto__`')
  expect(() => assertJsonBody(bomb.subarray(15), { numbersMax: 5 })).toThrow('more than 5 numbers')
})
