import type { OrganizationTerms, Principal } from '#domain/access/principal.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { RunTerms } from '#domain/runs/run.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { Uuid } from '#lib/uuid.ts'
import { resetNameOf, type SpendPeriod, spendPeriods } from './spend-period.ts'
import { type WindowLength, windowStart } from './window.ts'

/**
 * A limit on the spend of a request besides the wallet. A hold is checked against all applicable scopes in one
 * statement. To add a limit, add a row here and to `sql/functions/stored_spend.sql`, which seeds a window from stored
 * sums.
 */
export interface Scope {
  /** Stored with each window; its first word names the owner of the limit. */
  readonly kind: string
  readonly length: WindowLength
  readonly owner: (principal: Principal) => Uuid | null
  /** Null means no limit; then nothing is counted. */
  readonly limit: (principal: Principal) => NanoUsd | null
  readonly refusal: ErrorName
  /** Completes the sentence "The … is reached". */
  readonly title: string
  /** The verb for a limit without room, in error messages. `reached` if missing. */
  readonly end?: 'used up'
}

const keyOf = (principal: Principal): Uuid => principal.keyId
const userOf = (principal: Principal): Uuid | null => principal.userId
const memberOf = (principal: Principal): Uuid | null => principal.memberId
const teamOf = (principal: Principal): Uuid | null => principal.teamId
const organizationOf = (principal: Principal): Uuid | null => principal.organizationId
const sessionOf = (principal: Principal): Uuid | null => principal.institutionSession?.id ?? null
const personOf = (principal: Principal): Uuid | null => principal.institutionSession?.personId ?? null
const keyCap = (period: SpendPeriod) => (principal: Principal) =>
  principal.keyCap?.period === period ? principal.keyCap.limit : null
/**
 * While versions are mixed, a key may have a period that only the newer version knows. Its limit then holds for the
 * key's whole life, which is the strictest reading.
 */
const keyLifeCap = ({ keyCap: cap }: Principal) =>
  cap !== null && (cap.period === null || !spendPeriods.includes(cap.period)) ? cap.limit : null
const keyPeriods = spendPeriods.map((period) => ({
  kind: `key_${period}` as const,
  length: period,
  owner: keyOf,
  limit: keyCap(period),
  refusal: 'spendLimitExceeded' as const,
  title: `key's ${resetNameOf(period)} spend limit`,
}))

const endCustomerOf = (principal: Principal): Uuid | null => principal.attribution?.endCustomer?.id ?? null

const endCustomerScopes = (
  [
    ['day', 'day', 'daily'],
    ['month', 'month', 'monthly'],
    ['life', 'total', 'total'],
  ] as const
).map(([length, name, adjective]) => ({
  kind: `customer_${length}` as const,
  length,
  owner: endCustomerOf,
  limit: (principal: Principal) => principal.attribution?.endCustomer?.limits[name] ?? null,
  refusal: 'customerLimitReached' as const,
  title: `customer's ${adjective} limit`,
}))

const tokenOf = (principal: Principal): Uuid | null => principal.customerToken?.id ?? null

type BudgetName = keyof OrganizationTerms['budgets']
const budget = (name: BudgetName) => (principal: Principal) => principal.organization?.budgets[name] ?? null

type BreakerName = keyof OrganizationTerms['breakers']
const breaker = (name: BreakerName, window: 'minute' | 'hour') => (principal: Principal) =>
  principal.organization?.breakers[name]?.[window] ?? null

export const scopes = [
  {
    kind: 'key_life',
    length: 'life',
    owner: keyOf,
    limit: keyLifeCap,
    refusal: 'spendLimitExceeded',
    title: "key's spend limit",
  },
  ...keyPeriods,
  {
    kind: 'user_minute',
    length: 'minute',
    owner: userOf,
    limit: (principal) => principal.breaker?.minute ?? null,
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (user scope, minute window)',
  },
  {
    kind: 'user_hour',
    length: 'hour',
    owner: userOf,
    limit: (principal) => principal.breaker?.hour ?? null,
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (user scope, hour window)',
  },
  {
    kind: 'session_life',
    length: 'life',
    owner: sessionOf,
    limit: (principal) => principal.institutionSession?.spendQuota ?? null,
    refusal: 'spendLimitExceeded',
    title: "session's spend quota",
  },
  {
    kind: 'person_month',
    length: 'month',
    owner: personOf,
    limit: (principal) => principal.institutionSession?.personMonthQuota ?? null,
    refusal: 'spendLimitExceeded',
    title: "person's monthly spend quota",
  },
  {
    kind: 'member_month',
    length: 'month',
    owner: memberOf,
    limit: budget('memberMonth'),
    refusal: 'budgetCapReached',
    title: "member's monthly budget",
  },
  {
    kind: 'team_month',
    length: 'month',
    owner: teamOf,
    limit: budget('teamMonth'),
    refusal: 'budgetCapReached',
    title: "team's monthly budget",
  },
  {
    kind: 'organization_week',
    length: 'week',
    owner: organizationOf,
    limit: budget('organizationWeek'),
    refusal: 'budgetCapReached',
    title: "organization's weekly budget",
  },
  {
    kind: 'organization_month',
    length: 'month',
    owner: organizationOf,
    limit: budget('organizationMonth'),
    refusal: 'budgetCapReached',
    title: "organization's monthly budget",
  },
  {
    kind: 'member_minute',
    length: 'minute',
    owner: memberOf,
    limit: breaker('member', 'minute'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (member scope, minute window)',
  },
  {
    kind: 'member_hour',
    length: 'hour',
    owner: memberOf,
    limit: breaker('member', 'hour'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (member scope, hour window)',
  },
  {
    kind: 'team_minute',
    length: 'minute',
    owner: teamOf,
    limit: breaker('team', 'minute'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (team scope, minute window)',
  },
  {
    kind: 'team_hour',
    length: 'hour',
    owner: teamOf,
    limit: breaker('team', 'hour'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (team scope, hour window)',
  },
  {
    kind: 'organization_minute',
    length: 'minute',
    owner: organizationOf,
    limit: breaker('organization', 'minute'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (organization scope, minute window)',
  },
  {
    kind: 'organization_hour',
    length: 'hour',
    owner: organizationOf,
    limit: breaker('organization', 'hour'),
    refusal: 'spendBreakerTripped',
    title: 'spend breaker (organization scope, hour window)',
  },
  ...endCustomerScopes,
  {
    // Money paid in counts as negative spend, so a limit of zero leaves exactly the balance.
    kind: 'customer_balance',
    length: 'life',
    owner: endCustomerOf,
    limit: (principal) => (principal.attribution?.endCustomer?.isPrepaid === true ? zeroUsd : null),
    refusal: 'customerBalanceTooLow',
    title: "customer's prepaid balance",
    end: 'used up',
  },
  {
    kind: 'run_life',
    length: 'life',
    owner: (principal) => principal.attribution?.run?.id ?? null,
    limit: (principal) => principal.attribution?.run?.budget ?? null,
    refusal: 'runBudgetReached',
    title: "run's budget",
  },
  {
    kind: 'token_life',
    length: 'life',
    owner: tokenOf,
    limit: (principal) => principal.customerToken?.limit ?? null,
    refusal: 'customerLimitReached',
    title: "customer token's limit",
  },
] as const satisfies Scope[]

export type ScopeKind = (typeof scopes)[number]['kind']

/** The windows of a key's own spend limit, one for each period that it can have. */
export const keyCapKinds: readonly ScopeKind[] = ['key_life', ...keyPeriods.map(({ kind }) => kind)]

/** The windows of an end customer's limits. */
export const endCustomerKinds: readonly ScopeKind[] = endCustomerScopes.map(({ kind }) => kind)

export interface LimitedWindow {
  readonly kind: string
  readonly ownerId: Uuid
  readonly startsAtMs: number
  readonly limit: NanoUsd
}

/** The windows that a request of this client counts in now: only scopes with a limit. */
export function limitedWindows(principal: Principal, nowMs: number): LimitedWindow[] {
  const windows: LimitedWindow[] = []
  for (const scope of scopes) {
    const limit = scope.limit(principal)
    const ownerId = scope.owner(principal)
    if (limit === null || ownerId === null) continue
    windows.push({ kind: scope.kind, ownerId, startsAtMs: windowStart(scope.length, nowMs), limit })
  }
  const run = principal.attribution?.run ?? null
  return run === null ? windows : [...windows, ...windowsAbove(run, nowMs)]
}

/** The budgets of the runs above a run, which its requests count in, too. */
function windowsAbove({ id, budgets }: RunTerms, nowMs: number): LimitedWindow[] {
  return budgets
    .filter(({ runId }) => runId !== id)
    .map(({ runId, limit }) => ({
      kind: 'run_life',
      ownerId: runId,
      startsAtMs: windowStart('life', nowMs),
      limit,
    }))
}

/**
 * Breakers limit actual spend: they count the expected cost of a request, while other limits count the held worst case.
 */
export function isBreaker(kind: string): boolean {
  return scopeOf(kind)?.refusal === 'spendBreakerTripped'
}

export function scopeOf(kind: string): Scope | undefined {
  return scopes.find((scope) => scope.kind === kind)
}
