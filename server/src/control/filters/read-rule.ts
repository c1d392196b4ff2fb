import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredFilterRule } from '#ports/organization-rules.ts'

/** The rule of an organization; rules of others are refused like rules that never were. */
export function readRule(rules: readonly StoredFilterRule[], ruleId: Uuid): StoredFilterRule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new GatewayError('notFound', { message: 'There is no such rule.' })
  return rule
}
