import { expect, it } from 'vitest'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createReportExceeded } from './report-exceeded.ts'

function report(append: (entry: AuditEntry) => Promise<void>) {
  const ticket = testTicket()
  const told: unknown[] = []
  const entries: AuditEntry[] = []
  const exceeded = createReportExceeded({
    count: () => told.push('counted'),
    log: { warn: (event, message) => told.push({ event, message }) },
    audit: {
      append: (entry) => {
        entries.push(entry)
        return append(entry)
      },
    },
    onError: (error) => told.push(error),
  })
  exceeded(ticket, { left: parseUsd('1.5'), borne: parseUsd('0.25') })
  return { told, entries, principal: ticket.principal }
}

it('counts, logs and puts on record who left how much, as the system', () => {
  const { told, entries, principal } = report(async () => {})
  const { walletId, organizationId, userId, keyId } = principal
  const details = { organizationId, userId, keyId, leftUsd: '1.5', borneUsd: '0.25' }
  expect(told).toEqual([
    'counted',
    { event: { walletId, ...details }, message: 'wallet exceeded its daily limit of unpaid cost' },
  ])
  expect(entries).toMatchObject([
    { action: 'wallet.unbilled.exceeded', target: { kind: 'wallet', id: walletId }, details, requestId: null },
  ])
})

it('says so where the audit log is away', async () => {
  const away = new Error('away')
  const { told } = report(() => Promise.reject(away))
  await Promise.resolve()
  await Promise.resolve()
  expect(told.at(-1)).toBe(away)
})
