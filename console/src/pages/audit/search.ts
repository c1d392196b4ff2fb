import { type DaySpan, pickPeriod } from '../../lib/period.ts'
import { pickKnown } from '../../lib/pick-known.ts'

/** Prefixes of actions that the list can show alone. */
export const auditGroups = [
  'org.',
  'org_member.',
  'team.',
  'key.',
  'byok.',
  'filter.',
  'institution.',
  'webhook.',
  'top_up.',
  'invoice.',
] as const

export interface AuditSearch {
  readonly action?: (typeof auditGroups)[number]
  /** The ID of a user or key. */
  readonly actor?: string
  readonly period?: DaySpan
}

export function parseAuditSearch({ action, actor, period }: Record<string, unknown>): AuditSearch {
  return {
    ...pickKnown('action', auditGroups, action),
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
    ...pickPeriod([], period),
  }
}
