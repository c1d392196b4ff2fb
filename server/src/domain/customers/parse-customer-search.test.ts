import { expect, it } from 'vitest'
import { parseCustomerSearch } from './parse-customer-search.ts'

const id = '0190a1b2-0000-7000-8000-00000000abcd'

it.each([
  [null, { by: 'everything' }],
  ['  ', { by: 'everything' }],
  ['@', { by: 'nothing' }],
  ["'", { by: 'nothing' }],
  [id, { by: 'id', id }],
  [` ${id.toUpperCase()} `, { by: 'id', id }],
  ['sk-weir-', { by: 'key', prefix: 'sk-weir-', suffix: null }],
  ['sk-weir-Ab1', { by: 'key', prefix: 'sk-weir-Ab1', suffix: null }],
  ['sk-weir-Ab12', { by: 'key', prefix: 'sk-weir-Ab12', suffix: null }],
  ['sk-weir-Ab12…wXyZ', { by: 'key', prefix: 'sk-weir-Ab12', suffix: 'wXyZ' }],
  ['sk-weir-Ab12...wXyZ', { by: 'key', prefix: 'sk-weir-Ab12', suffix: 'wXyZ' }],
  ['sk-weir-Ab12345', { by: 'key', prefix: 'sk-weir-Ab12', suffix: null }],
  ['sk-weir-Ab12abcdWxYz', { by: 'key', prefix: 'sk-weir-Ab12', suffix: 'WxYz' }],
  ['sk-edu-Ab12', { by: 'key', prefix: 'sk-edu-Ab12', suffix: null }],
  ['Ada@Example.org', { by: 'words', words: ['ada', 'example', 'org'] }],
  ["O'Brien", { by: 'words', words: ['o', 'brien'] }],
  ['Émile Ñ', { by: 'words', words: ['émile', 'ñ'] }],
  ['a b c d e f g h i j k l', { by: 'words', words: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] }],
])('reads %j', (text, search) => {
  expect(parseCustomerSearch(text)).toEqual(search)
})
