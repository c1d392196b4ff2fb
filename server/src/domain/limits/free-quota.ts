/**
 * Quotas of free models, per client and model: requests in a fixed minute, and units in a UTC day. Requests over a
 * quota are not counted, so that retries do not lock a client out.
 */
export const freeRules = {
  requestsPerMinute: 10,
  unitsPerDay: 150,
  /** A wallet with credit gets this multiple of the units. */
  fundedFactor: 3,
  tokensPerUnit: 8_192,
  minuteMs: 60_000,
  dayMs: 86_400_000,
} as const

export interface FreeLimits {
  readonly requestsPerMinute: number
  readonly unitsPerDay: number
}

/** A request's use of one quota. */
export interface FreeAsk extends FreeLimits {
  /** The id of the model that the quota applies to. */
  readonly name: string
  readonly units: number
}

/** `taken`: counted now. `left`: within the quota, but not counted. Otherwise the exceeded limit. */
export type FreeStanding = 'taken' | 'left' | OverQuota
export type OverQuota = 'daily' | 'rpm'

export interface FreeState {
  day: number
  units: number
  minute: number
  requests: number
}

export const freshFreeState: Readonly<FreeState> = { day: 0, units: 0, minute: 0, requests: 0 }

/**
 * Checks one quota and optionally counts; changes the state. The Redis script in `redis-free-quotas.ts` does the same.
 */
export function judgeFree(
  state: FreeState,
  ask: FreeAsk,
  { takes, nowMs }: { takes: boolean; nowMs: number },
): FreeStanding {
  const day = periodFor(state.day, Math.floor(nowMs / freeRules.dayMs))
  const minute = periodFor(state.minute, Math.floor(nowMs / freeRules.minuteMs))
  const units = (state.day === day ? state.units : 0) + ask.units
  const requests = (state.minute === minute ? state.requests : 0) + 1
  if (units > ask.unitsPerDay) return 'daily'
  if (requests > ask.requestsPerMinute) return 'rpm'
  if (!takes) return 'left'
  Object.assign(state, { day, units, minute, requests })
  return 'taken'
}

/** The number of daily units that a prompt uses. */
export function freeUnitsOf(promptTokens: number): number {
  return Math.max(1, Math.ceil(promptTokens / freeRules.tokensPerUnit))
}

/** The time until an exceeded limit resets. */
export function freeResetMs(over: OverQuota, nowMs: number): number {
  const periodMs = over === 'daily' ? freeRules.dayMs : freeRules.minuteMs
  return periodMs - (nowMs % periodMs)
}

/** The state may be one period ahead, from a process whose clock is ahead; going back would lose its count. */
function periodFor(held: number, current: number): number {
  return held === current + 1 ? held : current
}
