import { expect, it } from 'vitest'
import { urgencyOf, wordsOf } from './dispute-words.ts'

const nowMs = Date.parse('2026-03-04T00:00:00Z')

it.each([
  [true, '2026-03-03T23:59:59Z', 'overdue'],
  [true, '2026-03-07T00:00:00Z', 'soon'],
  [true, '2026-03-07T00:00:01Z', 'later'],
  [true, null, 'none'],
  [false, '2026-03-05T00:00:00Z', 'none'],
] as const)('a dispute that is open: %s and due at %s is due: %s', (open, due, urgency) => {
  expect(urgencyOf({ open, evidence_due_at: due }, nowMs)).toBe(urgency)
})

it('writes words of the provider for people', () => {
  expect(wordsOf('warning_needs_response')).toBe('Warning needs response')
})
