import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { instanceOf } from './instance-of.ts'

const cases: [string, JsonObject, JsonValue][] = [
  ['required properties only', { properties: { a: {}, b: {} }, required: ['b'] }, { b: 'b' }],
  ['nested objects', { required: ['a'], properties: { a: { required: ['b'] } } }, { a: { b: 'b' } }],
  ['the first of an enumeration', { enum: ['red', 'green'] }, 'red'],
  ['a constant', { const: 7 }, 7],
  ['the first type', { type: ['boolean', 'null'] }, true],
  ['the first branch', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 0],
  ['all parts', { allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 'a', b: 'b' }],
  ['references', { $ref: '#/$defs/city', $defs: { city: { type: 'object', required: ['name'] } } }, { name: 'name' }],
  ['the least number of items', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [0, 0]],
  ['leading items', { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], minItems: 2 }, [1, 2]],
  ['formats', { type: 'string', format: 'date' }, '2000-01-01'],
  ['lengths', { type: 'string', minLength: 6 }, 'textxx'],
  ['lengths', { type: 'string', maxLength: 2 }, 'te'],
  ['a minimum', { type: 'integer', minimum: 2.5 }, 3],
  ['an exclusive minimum', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['a maximum below zero', { type: 'number', maximum: -2 }, -2],
  ['a narrow open range', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, 0.25],
  ['multiples', { type: 'integer', multipleOf: 5, minimum: 7 }, 10],
]

test.each(cases)('%s: %j gives %j', (_name, schema, expected) => {
  expect(instanceOf(schema)).toEqual(expected)
})

test('a list of nodes comes to its end', () => {
  const next = { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] }
  const schema = { $ref: '#/$defs/node', $defs: { node: { required: ['next'], properties: { next } } } }
  expect(JSON.stringify(instanceOf(schema))).toMatch(/^(\{"next":)+null\}+$/)
})

test('a schema that grows without end is cut', () => {
  const branching = { required: ['a', 'b', 'c'], properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } } }
  expect(JSON.stringify(instanceOf(branching)).length).toBeLessThan(20_000)
  const many = instanceOf({ type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9 } })
  expect(JSON.stringify(many).length).toBeLessThan(100_000)
  expect(instanceOf({ $ref: '#' })).toBeNull()
})
