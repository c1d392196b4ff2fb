/**
 * Quotas of free models, per client and model: requests in a fixed minute, and units in a day of UTC. A client is
 * within a quota or over it; what is over is not counted, so that a client is not kept out by having tried.
 */
export const freeRules = {
  requestsPerMinute: 10,
  unitsPerDay: 150,
  /** Who has credit gets so many times the units. */
  fundedFactor: 3,
  tokensPerUnit: 8_192,
  minuteMs: 60_000,
  dayMs: 86_400_000,
} as const

export interface FreeLimits {
  readonly requestsPerMinute: number
  readonly unitsPerDay: number
}

/** What a request would use of one quota. */
export interface FreeAsk extends FreeLimits {
  /** What the quota is of: a model's id. */
  readonly name: string
  readonly units: number
}

/**
 * Taken: counted now. Left: it would have been within the quota, and was not counted. Otherwise, which cap is reached.
 */
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
 * Judges one quota and counts if told to; changes the state. The Redis script in `redis-free-quotas.ts` does the same.
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

/** How many units of a day a prompt uses. */
export function freeUnitsOf(promptTokens: number): number {
  return Math.max(1, Math.ceil(promptTokens / freeRules.tokensPerUnit))
}

/** How long until a cap is reached no more. */
export function freeResetMs(over: OverQuota, nowMs: number): number {
  const periodMs = over === 'daily' ? freeRules.dayMs : freeRules.minuteMs
  return periodMs - (nowMs % periodMs)
}

/** The state may be one period ahead, opened by a process whose clock is; going back would forget what it counted. */
function periodFor(held: number, current: number): number {
  return held === current + 1 ? held : current
}
