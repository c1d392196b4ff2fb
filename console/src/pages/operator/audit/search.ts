import { type DaySpan, pickPeriod } from '../../../lib/period.ts'
import { pickKnown } from '../../../lib/pick-known.ts'

/** Prefixes of actions that the list can show alone. */
export const platformGroups = [
  'catalogue.',
  'provider.',
  'route.',
  'org.',
  'user.',
  'key.',
  'wallet.',
  'top_up.',
  'invoice.',
  'campaign.',
  'month.',
  'operator.',
  'brake.',
  'evidence.',
  'customer.note.',
  'webhook.',
  'mail.',
  'sink.',
] as const

export interface PlatformAuditSearch {
  readonly action?: (typeof platformGroups)[number]
  /** An ID, an email address, or a name. */
  readonly actor?: string
  /** An ID, an email address, a slug, a model, or the name of a provider account. */
  readonly target?: string
  readonly period?: DaySpan
}

export function parsePlatformAuditSearch(search: Record<string, unknown>): PlatformAuditSearch {
  const { action, actor, target, period } = search
  return {
    ...pickKnown('action', platformGroups, action),
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
    ...(typeof target === 'string' && target !== '' ? { target } : {}),
    ...pickPeriod([], period),
  }
}
