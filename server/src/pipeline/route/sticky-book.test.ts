import { expect, it } from 'vitest'
import { createStickyBook } from './sticky-book.ts'

it('remembers who answered for ten minutes after the last answer, and not longer', () => {
  let nowMs = 0
  const book = createStickyBook(() => nowMs)
  expect(book.find('one')).toBeNull()
  book.note('one', 'first')
  nowMs = 599_999
  expect(book.find('one')).toBe('first')
  book.note('one', 'second')
  nowMs = 599_999 + 599_999
  expect(book.find('one')).toBe('second')
  nowMs += 1
  expect(book.find('one')).toBeNull()
  expect(book.size).toBe(0)
})

it('keeps 50,000 conversations, and forgets the one that was answered longest ago first', () => {
  const book = createStickyBook(() => 0)
  for (let index = 0; index < 50_000; index += 1) book.note(`conversation ${index}`, 'account')
  book.note('conversation 0', 'account')
  book.note('one more', 'account')
  expect(book.size).toBe(50_000)
  expect(book.find('conversation 0')).toBe('account')
  expect(book.find('conversation 1')).toBeNull()
  expect(book.find('one more')).toBe('account')
})

it('remembers nothing where only one host could answer', () => {
  const book = createStickyBook(() => 0)
  book.note(null, 'account')
  expect(book.size).toBe(0)
})
