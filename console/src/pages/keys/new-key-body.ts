import { amountBody } from '../../api/amount-body.ts'

/** The form's values, as strings. */
export interface KeyFields {
  readonly name: string
  readonly kind: string
  readonly limit: string
  readonly period: string
  readonly days: string
  readonly networks: string
  /** Seconds; empty for the default. */
  readonly cacheTime: string
  readonly belongsTo: BelongsTo
  /** The chosen member or team. */
  readonly owner: { readonly value: string; readonly label: string } | null
}

/** Where an organization key belongs. */
export type BelongsTo = 'member' | 'team' | 'shared'

export const emptyKey: KeyFields = {
  name: '',
  kind: 'standard',
  limit: '',
  period: '',
  days: '',
  networks: '',
  cacheTime: '',
  belongsTo: 'member',
  owner: null,
}

const dayMs = 86_400_000

/** The request body for a new key. Empty fields are left out. */
export function newKeyBody({ name, kind, limit, period, days, networks }: KeyFields, nowMs: number) {
  const list = networksIn(networks)
  return {
    name: name.trim(),
    ...(kind === 'management' ? { keyType: 'management' as const } : {}),
    ...(limit.trim() === '' ? {} : { limit: amountBody(limit.trim()), limit_reset: period === '' ? null : period }),
    ...(days === '' ? {} : { expires_at: new Date(nowMs + Number(days) * dayMs).toISOString() }),
    ...(list.length === 0 ? {} : { allowedCidrs: list }),
  }
}

/** Where a new organization key belongs. A management key acts for its creator. */
export function keyPlaceBody({ kind, belongsTo, owner }: Pick<KeyFields, 'kind' | 'belongsTo' | 'owner'>) {
  if (kind === 'management') return {}
  if (belongsTo === 'shared') return { shared: true }
  const id = owner?.value ?? ''
  return belongsTo === 'team' ? { teamId: id } : { memberId: id }
}

/** The addresses and ranges in a text, separated by commas or white space. */
export function networksIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((network) => network !== '')
}
