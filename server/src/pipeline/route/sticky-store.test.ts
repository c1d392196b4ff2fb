import { expect, it } from 'vitest'
import { createStickyStore } from './sticky-store.ts'

it('remembers who answered for ten minutes after the last answer, and not longer', () => {
  let nowMs = 0
  const store = createStickyStore(() => nowMs)
  expect(store.find('one')).toBeNull()
  store.note('one', 'first')
  nowMs = 599_999
  expect(store.find('one')).toBe('first')
  store.note('one', 'second')
  nowMs = 599_999 + 599_999
  expect(store.find('one')).toBe('second')
  nowMs += 1
  expect(store.find('one')).toBeNull()
  expect(store.size).toBe(0)
})

it('keeps 50,000 conversations, and forgets the one that was answered longest ago first', () => {
  const store = createStickyStore(() => 0)
  for (let index = 0; index < 50_000; index += 1) store.note(`conversation ${index}`, 'account')
  store.note('conversation 0', 'account')
  store.note('one more', 'account')
  expect(store.size).toBe(50_000)
  expect(store.find('conversation 0')).toBe('account')
  expect(store.find('conversation 1')).toBeNull()
  expect(store.find('one more')).toBe('account')
})

it('remembers nothing where only one host could answer', () => {
  const store = createStickyStore(() => 0)
  store.note(null, 'account')
  expect(store.size).toBe(0)
})
