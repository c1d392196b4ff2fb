import { expect, it } from 'vitest'
import { scopeOf, scopeRewrite, slugOf } from './scope-rewrite.ts'

const origin = 'https://weir.test'
const inside = (path: string) => scopeRewrite.input({ url: new URL(path, origin) }).href.slice(origin.length)
const outside = (path: string) => scopeRewrite.output({ url: new URL(path, origin) }).href.slice(origin.length)

it.each([
  ['/o/demo', '/?scope=o%2Fdemo'],
  ['/o/demo/requests/gen-1', '/requests/gen-1?scope=o%2Fdemo'],
  ['/o/2026/usage?period=30d#top', '/usage?period=30d&scope=o%2F2026#top'],
])('shows %s as the page of an organization', (url, internal) => {
  expect(inside(url)).toBe(internal)
  expect(outside(internal)).toBe(url)
})

it('reads an overview with a slash at the end as well', () => {
  expect(inside('/o/demo/')).toBe('/?scope=o%2Fdemo')
})

it.each(['/', '/requests?period=30d', '/o', '/orders/o/demo'])('leaves %s to the person', (url) => {
  expect(inside(url)).toBe(url)
  expect(outside(url)).toBe(url)
})

it('takes the scope from the path alone', () => {
  expect(inside('/keys?scope=o%2Fdemo&q=a')).toBe('/keys?q=a')
  expect(inside('/o/mill/keys?scope=o%2Fdemo')).toBe('/keys?scope=o%2Fmill')
})

it('changes no URL that it is given', () => {
  const url = new URL('/o/demo/keys', origin)
  scopeRewrite.input({ url })
  scopeRewrite.output({ url: new URL('/keys?scope=o%2Fdemo', origin) })
  expect(url.pathname).toBe('/o/demo/keys')
})

it('names the scope of a slug', () => {
  expect(scopeOf('demo')).toBe('o/demo')
  expect(slugOf(scopeOf('demo'))).toBe('demo')
})
