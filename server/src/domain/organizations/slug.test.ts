import { describe, expect, it } from 'vitest'
import { isSlug, slugOf } from './slug.ts'

describe('a slug', () => {
  it.each([
    ['Acme', 'acme'],
    ['  Ácme & Söhne, GmbH. ', 'acme-sohne-gmbh'],
    ['ﬁnance №1', 'finance-no1'],
    [`${'long '.repeat(30)}`, 'long-'.repeat(13).slice(0, 64)],
    ['日本', ''],
  ])('of %s is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
    expect(isSlug(slugOf(name))).toBe(slug !== '')
  })

  it.each(['', '-a', 'a-', 'A', 'a_b', 'a b', 'a'.repeat(65), '0190c5a0-0000-7000-8000-000000000001'])(
    'is not %s',
    (text) => {
      expect(isSlug(text)).toBe(false)
    },
  )
})
