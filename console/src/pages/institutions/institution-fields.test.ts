import { expect, it } from 'vitest'
import { changedTerms, emptyInstitution, fieldsOf, type InstitutionFields } from './institution-fields.ts'

const key = {
  name: 'Campus',
  eduConfig: {
    allowedDomains: ['uni.edu', 'cs.uni.edu'],
    sessionTtlSeconds: 5_400,
    verificationTtlSeconds: 90,
    maxSessionsPerEmailPerKey: 2,
    codesPerNetworkPer15Minutes: 1_000,
    codesPerHour: 2_000,
    sessionRequestQuota: 100,
    sessionTokenQuota: null,
    sessionSpendQuotaUsd: 2,
    monthlySpendQuotaUsd: 30,
  },
}

it('shows the terms of a key in hours, minutes and lines', () => {
  expect(fieldsOf(key)).toEqual({
    name: 'Campus',
    domains: 'uni.edu\ncs.uni.edu',
    sessionHours: '1.5',
    codeMinutes: '1.5',
    sessionsMax: '2',
    codesPerNetwork: '1000',
    codesPerHour: '2000',
    requestQuota: '100',
    tokenQuota: '',
    spendQuota: '2',
    monthQuota: '30',
  })
})

it('changes nothing that a person left as it was', () => {
  expect(changedTerms(fieldsOf(key), fieldsOf(key))).toEqual({})
  expect(changedTerms({ ...fieldsOf(key), name: 'Other' }, fieldsOf(key))).toEqual({})
})

it.each<[Partial<InstitutionFields>, object]>([
  [{ domains: 'uni.edu, other.edu;\n third.edu ' }, { allowedDomains: ['uni.edu', 'other.edu', 'third.edu'] }],
  [{ sessionHours: '24' }, { sessionTtlSeconds: 86_400 }],
  [{ codeMinutes: '15' }, { verificationTtlSeconds: 900 }],
  [{ sessionsMax: '7' }, { maxSessionsPerEmailPerKey: 7 }],
  [{ codesPerNetwork: '500' }, { codesPerNetworkPer15Minutes: 500 }],
  [{ codesPerHour: '5000' }, { codesPerHour: 5_000 }],
  [{ requestQuota: '' }, { sessionRequestQuota: null }],
  [{ tokenQuota: '5000' }, { sessionTokenQuota: 5_000 }],
  [{ spendQuota: ' ' }, { sessionSpendQuotaUsd: null }],
  [{ monthQuota: '' }, { monthlySpendQuotaUsd: null }],
])('sends the change %o alone', (change, terms) => {
  expect(changedTerms({ ...fieldsOf(key), ...change }, fieldsOf(key))).toEqual(terms)
})

it('sends an amount digit by digit', () => {
  const terms = changedTerms({ ...emptyInstitution, domains: 'uni.edu', spendQuota: '0.000000001' }, emptyInstitution)
  expect(JSON.stringify(terms)).toBe('{"allowedDomains":["uni.edu"],"sessionSpendQuotaUsd":0.000000001}')
})
