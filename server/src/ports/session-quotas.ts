import type { Uuid } from '#lib/uuid.ts'

/** What an institution's session may still do, counted by the store alone. */
export interface SessionQuotas {
  /** Takes one request of the quota, unless requests or tokens are used up. */
  takeRequest(sessionId: Uuid): Promise<QuotaVerdict>
}

export type QuotaVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly quota: 'requests' | 'tokens' }
