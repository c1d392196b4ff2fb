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
  /** First and last UTC day, such as 2026-11-01. */
  readonly from?: string
  readonly to?: string
}

const day = /^\d{4}-\d{2}-\d{2}$/

export function parseAuditSearch({ action, actor, from, to }: Record<string, unknown>): AuditSearch {
  return {
    ...pickKnown('action', auditGroups, action),
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
    ...(typeof from === 'string' && day.test(from) ? { from } : {}),
    ...(typeof to === 'string' && day.test(to) ? { to } : {}),
  }
}
