import { expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Ticket } from '../types.ts'
import { createNoteCancel } from './note-cancel.ts'

const nowMs = 1_800_000_000_000

function noteCancel(ticket: Ticket, rates: () => Promise<void> = async () => {}): unknown[] {
  const told: unknown[] = []
  const note = createNoteCancel({
    count: () => told.push('counted'),
    unbilled: { noteLeft: (left, candidate) => told.push([left === ticket, candidate]) },
    rates: {
      noteUnbilledCancel: (subject, credential, atMs) => {
        told.push({ subject, credential, atMs })
        return rates()
      },
    },
    nowMs: () => nowMs,
    onError: (error) => told.push(error),
  })
  note(ticket, null)
  return told
}

it('counts for the operator, in money, and against the pace of the key', () => {
  const ticket = testTicket()
  const { keyId, walletId, userId } = ticket.principal
  expect(noteCancel(ticket)).toEqual([
    'counted',
    [true, null],
    { subject: { walletId, clientId: userId, class: 'inference' }, credential: keyId, atMs: nowMs },
  ])
})

it("counts against an institution's session, because all its pupils share a key", () => {
  const made = testTicket()
  const session = {
    id: newUuid(1),
    personId: 'person',
    spendQuota: null,
    personMonthQuota: null,
    hasCountedQuota: false,
  }
  const ticket = { ...made, principal: { ...made.principal, institutionSession: session } }
  expect(noteCancel(ticket).at(-1)).toMatchObject({ credential: session.id, subject: { clientId: session.id } })
})

it('goes on where the count is away, and says so', async () => {
  const away = new Error('away')
  const told = noteCancel(testTicket(), () => Promise.reject(away))
  await Promise.resolve()
  await Promise.resolve()
  expect(told.at(-1)).toBe(away)
})
