import { expect, it } from 'vitest'
import { stateInWords } from './document-names.ts'

const invoice = { kind: 'invoice', due_at: '2026-12-15T00:00:00.000Z', paid_at: null, suspends: false } as const

it('says of an invoice when it is due, that it is paid, or that spending has stopped', () => {
  expect(stateInWords(invoice)).toBe('Due 2026-12-15')
  expect(stateInWords({ ...invoice, suspends: true })).toBe('Overdue, spending blocked')
  expect(stateInWords({ ...invoice, paid_at: '2026-12-01T00:00:00.000Z' })).toBe('Paid')
  expect(stateInWords({ ...invoice, kind: 'receipt', due_at: null })).toBe('Settled')
})
