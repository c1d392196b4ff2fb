import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { institutionDefaults } from '#domain/institutions/institution-terms.ts'
import type { CodeKey, CodeStore, NewCode } from '#ports/institutions.ts'
import type { NewMail } from '#ports/mail-outbox.ts'
import { createDeliverCode } from './deliver-code.ts'
import { createCodeDigests, readEntry } from './read-entry.ts'

const digests = createCodeDigests('a secret of some thirty characters')
const key: CodeKey = {
  id: '0190a2b4-6c00-7000-8000-000000000001',
  organizationId: '0190a2b4-6c00-7000-8000-000000000002',
  organizationName: 'University of Testing',
  organizationSuspended: false,
  memberSuspended: false,
  enabled: true,
  terms: {
    ...institutionDefaults,
    allowedDomains: ['uni.edu'],
    requestQuota: null,
    tokenQuota: null,
    spendQuota: null,
    personMonthQuota: null,
  },
}

function startDelivery() {
  const seen = { codes: [] as NewCode[], mails: [] as NewMail[] }
  const audited: AuditEntry[] = []
  const codes: Pick<CodeStore, 'findKey' | 'putCode'> = {
    findKey: async ({ keyHash }) => (keyHash === readEntry(digests, entryOf('sk-edu-known')).keyHash ? key : null),
    putCode: async (code) => void seen.codes.push(code),
  }
  const deliver = createDeliverCode({
    codes,
    digests,
    audit: { append: async (entry) => void audited.push(entry) },
    post: async (mail) => void seen.mails.push(mail),
  })
  return { seen, audited, deliver: (entry: Entry) => deliver(readEntry(digests, entry), 'request') }
}

type Entry = { key: string; email: string }
const entryOf = (secret: string, email = 'ada@uni.edu'): Entry => ({ key: secret, email })

describe('a code', () => {
  it('[EDU-02] is stored and mailed where the key knows the domain, and a decoy is stored where it does not', async () => {
    for (const [entry, keyId] of [
      [entryOf('sk-edu-known'), key.id],
      [entryOf('sk-edu-unknown'), null],
      [entryOf('sk-edu-known', 'ada@elsewhere.edu'), null],
    ] as const) {
      const { seen, deliver } = startDelivery()
      await deliver(entry)
      expect(seen.codes).toMatchObject([{ keyId, ttlS: institutionDefaults.verificationTtlS }])
      expect(seen.mails.map(({ to }) => to)).toEqual(keyId === null ? [] : ['ada@uni.edu'])
    }
  })

  it('is worth mailing as long as it works, and replaces the code before it of the same key and address', async () => {
    const { seen, deliver } = startDelivery()
    await deliver(entryOf('sk-edu-known'))
    await deliver(entryOf('sk-edu-known'))
    await deliver(entryOf('sk-edu-known', 'bob@uni.edu'))
    const [first, second, other] = seen.mails
    expect(first).toMatchObject({
      class: 'institution_code',
      lifeMs: 900_000,
      topic: expect.stringMatching(/^[\da-f]{64}$/),
    })
    expect(second?.topic).toBe(first?.topic)
    expect(other?.topic).not.toBe(first?.topic)
  })

  it('[AUDIT-04] that can not be mailed is told to the organization by the domain alone', async () => {
    const { seen, audited, deliver } = startDelivery()
    await deliver(entryOf('sk-edu-known'))
    expect(audited).toEqual([])
    expect(seen.mails[0]?.failureEntry).toEqual({
      chainId: key.organizationId,
      actor: { kind: 'anonymous', id: null, name: null },
      requestId: 'request',
      action: 'institution.code.refused',
      target: { kind: 'institution_key', id: key.id },
      details: { reason: 'mail_failed', domain: 'uni.edu' },
    })
  })
})
