import { describe, expect, it } from 'vitest'
import type { Actor, AuditEntry } from './audit-entry.ts'
import { entriesToAppend } from './entries-to-append.ts'

const platform = '00000000-0000-0000-0000-000000000000'
const organizationId = '01890000-0000-7000-8000-000000000001'
const ada: Actor = { kind: 'operator', id: 'ada-1', name: 'ada@example.com' }

const entry: AuditEntry = {
  chainId: organizationId,
  actor: ada,
  requestId: 'req_1',
  action: 'org.credit',
  target: { kind: 'wallet', id: 'wallet-1' },
  details: { amount: 5 },
}

describe('the entries of a change', () => {
  it('are one without a name in the log of the organization, and one with it in the log of the platform', () => {
    expect(entriesToAppend(entry)).toEqual([
      { ...entry, actor: { kind: 'operator', id: null, name: null } },
      { ...entry, chainId: platform, details: { amount: 5, organizationId } },
    ])
  })

  it('name the organization also where there are no other details', () => {
    const { details: _, ...plain } = entry
    expect(entriesToAppend(plain)[1]?.details).toEqual({ organizationId })
    expect(entriesToAppend({ ...plain, details: null })[1]?.details).toEqual({ organizationId })
  })

  it('are one as it is where no operator acted, and in the log of the platform', () => {
    const kinds = ['user', 'key', 'system', 'anonymous', 'scim_token'] as const
    for (const kind of kinds) {
      const other = { ...entry, actor: { ...ada, kind } }
      expect(entriesToAppend(other)).toEqual([other])
    }
    const own = { ...entry, chainId: platform }
    expect(entriesToAppend(own)).toEqual([own])
  })
})
