import type { Model } from './model.ts'

/**
 * A model is `active` until 30 days before its retirement date, then `end-of-life` (still listed, still callable), and
 * `retired` from that date on (not listed; requests are rejected with 410).
 */
type LifeCycle = 'active' | 'end-of-life' | 'retired'

const noticeMs = 30 * 86_400_000

/** Customers are reminded of a retirement this long before. */
export const reminderDays = 7

export function lifeCycleAt(model: Model, nowMs: number): LifeCycle {
  if (model.retiresAtMs === null) return 'active'
  if (nowMs >= model.retiresAtMs) return 'retired'
  return nowMs >= model.retiresAtMs - noticeMs ? 'end-of-life' : 'active'
}
