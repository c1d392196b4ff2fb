import { expect, it } from 'vitest'
import { linkOriginOf, ownOriginsOf, publicOriginOf } from './public-origin.ts'

const inside = { publicUrl: 'https://weir.example/api/models' }
const unset = { publicUrl: null }

it('is that of the whole site, without the path of the API', () => {
  expect(publicOriginOf(inside)).toBe('https://weir.example')
  expect(ownOriginsOf(inside)).toEqual(['https://weir.example'])
  expect(linkOriginOf(inside)).toBe('https://weir.example')
})

it('is none where the operator has named none; then no page acts for a person', () => {
  expect(publicOriginOf(unset)).toBeNull()
  expect(ownOriginsOf(unset)).toEqual([])
  expect(linkOriginOf(unset)).toBe('http://localhost')
})
