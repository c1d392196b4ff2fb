import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { institutionDefaults } from '#domain/institutions/institution-terms.ts'
import type { CodeKey, CodeStore, NewCode } from '#ports/institutions.ts'
import type { Mail } from '#ports/mailer.ts'
import { createDeliverCode } from './deliver-code.ts'
import { createCodeDigests, readEntry } from './read-entry.ts'

const digests = createCodeDigests('a secret of some thirty characters')
const key: CodeKey = {
  id: '0190a2b4-6c00-7000-8000-000000000001',
  organizationId: '0190a2b4-6c00-7000-8000-000000000002',
  organizationName: 'University of Testing',
  organizationSuspended: false,
  enabled: true,
  terms: {
    ...institutionDefaults,
    allowedDomains: ['uni.edu'],
    requestQuota: null,
    tokenQuota: null,
    spendQuota: null,
  },
}

/** Starts a delivery whose mail server rejects the first mails, and records the outcome. */
function startDelivery({ refusals = 0, delivers = true } = {}) {
  const seen = { codes: [] as NewCode[], tries: 0, mails: [] as Mail[], failures: 0, pausesMs: [] as number[] }
  const audited: AuditEntry[] = []
  const codes: Pick<CodeStore, 'findKey' | 'putCode'> = {
    findKey: async (keyHash) => (keyHash === readEntry(digests, entryOf('sk-edu-known')).keyHash ? key : null),
    putCode: async (code) => void seen.codes.push(code),
  }
  const deliver = createDeliverCode({
    codes,
    digests,
    audit: { append: async (entry) => void audited.push(entry) },
    mailer: {
      delivers,
      send: async (mail) => {
        seen.tries += 1
        if (seen.tries <= refusals) throw new Error('421 not now')
        seen.mails.push(mail)
      },
    },
    onMailFailed: () => (seen.failures += 1),
    wait: async (ms) => void seen.pausesMs.push(ms),
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

  it('is sent again a second and five seconds after the mail server refused it, with the same text', async () => {
    const { seen, audited, deliver } = startDelivery({ refusals: 2 })
    await deliver(entryOf('sk-edu-known'))
    expect(seen).toMatchObject({ tries: 3, failures: 2, pausesMs: [1_000, 5_000] })
    expect(seen.mails).toHaveLength(1)
    expect(audited).toEqual([])
  })

  it('[AUDIT-04] that can not be mailed is tried three times, counted, and told to the organization', async () => {
    const { seen, audited, deliver } = startDelivery({ refusals: 3 })
    await deliver(entryOf('sk-edu-known'))
    expect(seen).toMatchObject({ tries: 3, failures: 3, pausesMs: [1_000, 5_000], mails: [] })
    expect(audited).toMatchObject([
      {
        chainId: key.organizationId,
        action: 'institution.code.refused',
        details: { reason: 'mail_failed', domain: 'uni.edu' },
      },
    ])
  })

  it('is not tried where there is no mail server, and the organization is told', async () => {
    const { seen, audited, deliver } = startDelivery({ delivers: false })
    await deliver(entryOf('sk-edu-known'))
    expect(seen).toMatchObject({ tries: 0, pausesMs: [] })
    expect(audited).toMatchObject([{ details: { reason: 'mail_failed' } }])
  })
})
