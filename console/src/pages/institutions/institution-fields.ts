import { optionalAmountBody } from '../../api/amount-body.ts'
import type { InstitutionKey, InstitutionTerms } from '../../api/institutions.ts'
import { exactUsd, toNano } from '../../lib/money.ts'

/** The form's values, as strings. An empty quota is no quota. */
export interface InstitutionFields {
  readonly name: string
  readonly domains: string
  readonly sessionHours: string
  readonly codeMinutes: string
  readonly sessionsMax: string
  readonly codesPerNetwork: string
  readonly codesPerHour: string
  readonly requestQuota: string
  readonly tokenQuota: string
  readonly spendQuota: string
  readonly monthQuota: string
}

export const emptyInstitution: InstitutionFields = {
  name: '',
  domains: '',
  sessionHours: '24',
  codeMinutes: '15',
  sessionsMax: '5',
  codesPerNetwork: '10',
  codesPerHour: '100',
  requestQuota: '',
  tokenQuota: '',
  spendQuota: '',
  monthQuota: '',
}

const hourS = 3_600
const minuteS = 60

export function fieldsOf({ name, eduConfig }: Pick<InstitutionKey, 'name' | 'eduConfig'>): InstitutionFields {
  const { sessionSpendQuotaUsd: spend, monthlySpendQuotaUsd: month } = eduConfig
  return {
    name,
    domains: eduConfig.allowedDomains.join('\n'),
    sessionHours: String(Number(eduConfig.sessionTtlSeconds) / hourS),
    codeMinutes: String(Number(eduConfig.verificationTtlSeconds) / minuteS),
    sessionsMax: String(eduConfig.maxSessionsPerEmailPerKey),
    codesPerNetwork: String(eduConfig.codesPerNetworkPer15Minutes),
    codesPerHour: String(eduConfig.codesPerHour),
    requestQuota: String(eduConfig.sessionRequestQuota ?? ''),
    tokenQuota: String(eduConfig.sessionTokenQuota ?? ''),
    spendQuota: spend === null ? '' : exactUsd(toNano(spend)),
    monthQuota: month === null ? '' : exactUsd(toNano(month)),
  }
}

/** The terms that differ from those before, so that a change leaves the others as they are. */
export function changedTerms(fields: InstitutionFields, before: InstitutionFields): InstitutionTerms {
  const { domains, sessionHours, codeMinutes, sessionsMax, requestQuota, tokenQuota, spendQuota } = fields
  const { monthQuota, codesPerNetwork, codesPerHour } = fields
  const terms: InstitutionTerms = {}
  if (domains !== before.domains) terms.allowedDomains = domainsIn(domains)
  if (sessionHours !== before.sessionHours) terms.sessionTtlSeconds = Math.round(Number(sessionHours) * hourS)
  if (codeMinutes !== before.codeMinutes) terms.verificationTtlSeconds = Math.round(Number(codeMinutes) * minuteS)
  if (sessionsMax !== before.sessionsMax) terms.maxSessionsPerEmailPerKey = Number(sessionsMax)
  if (codesPerNetwork !== before.codesPerNetwork) terms.codesPerNetworkPer15Minutes = Number(codesPerNetwork)
  if (codesPerHour !== before.codesPerHour) terms.codesPerHour = Number(codesPerHour)
  if (requestQuota !== before.requestQuota) terms.sessionRequestQuota = countOf(requestQuota)
  if (tokenQuota !== before.tokenQuota) terms.sessionTokenQuota = countOf(tokenQuota)
  if (spendQuota !== before.spendQuota) terms.sessionSpendQuotaUsd = optionalAmountBody(spendQuota)
  if (monthQuota !== before.monthQuota) terms.monthlySpendQuotaUsd = optionalAmountBody(monthQuota)
  return terms
}

function domainsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '')
}

function countOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
