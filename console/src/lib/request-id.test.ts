import { expect, it } from 'vitest'
import { parseRequestId } from './request-id.ts'

const hex = '0199aabbccdd70008000112233445566'

it.each([
  [`gen-${hex}`, `gen-${hex}`],
  ['gen-0199aabb-ccdd-7000-8000-112233445566', 'gen-0199aabb-ccdd-7000-8000-112233445566'],
  [`  REQ_${hex.toUpperCase()}\n`, `req_${hex}`],
])('reads %j', (text, id) => {
  expect(parseRequestId(text)).toBe(id)
})

it.each(['', 'gen-', hex, `gen-${hex}0`, `req_${hex.slice(1)}`, `xgen-${hex}`, `req_${hex}x`, `req_${hex}/a`])(
  'finds no id in %j',
  (text) => {
    expect(parseRequestId(text)).toBeUndefined()
  },
)
