import { type RateClient, rateSubject } from '#domain/access/rate-subject.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import { type RateClass, rateLimitOf, type RateLimits, type RateVerdict } from '#domain/limits/rate.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Rates } from '#ports/shared-counts.ts'

type RateHeaders = Readonly<Record<'x-ratelimit-limit' | 'x-ratelimit-remaining' | 'x-ratelimit-reset', string>>

interface AdmitOptions {
  rates: Rates
  brake: () => BrakeState
  clock: () => number
  limits?: RateLimits
}

export type Admit = (client: RateClient, rateClass: RateClass) => Promise<RateHeaders>

/** Whether a request is within its rate limit. Returns headers with the remaining requests of the window. */
export function createAdmit({ rates, brake, clock, limits }: AdmitOptions): Admit {
  return (client, rateClass) => {
    const state = brake()
    if (rateClass === 'inference' && state.engaged) return Promise.reject(brakeRefusal(state))
    const limit = rateLimitOf(rateClass, client.balance, limits)
    return rates.admit(rateSubject(client, rateClass), limit, clock()).then(admitted)
  }
}

function admitted(verdict: RateVerdict): RateHeaders {
  if (verdict.allowed) return rateHeaders(verdict)
  const retryAfterS = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
  throw new GatewayError(verdict.reason === 'penalty' ? 'penaltyBlocked' : 'rateLimited', {
    message: refusalMessage(verdict, retryAfterS),
    retryAfterS,
    headers: rateHeaders(verdict),
  })
}

export type ShowRate = (client: RateClient, rateClass: RateClass) => Promise<RateHeaders>

/** The same headers for a request that does not count against a rate limit. */
export function createShowRate({ rates, clock, limits }: Omit<AdmitOptions, 'brake'>): ShowRate {
  return async (client, rateClass) => {
    const limit = rateLimitOf(rateClass, client.balance, limits)
    return rateHeaders(await rates.read(rateSubject(client, rateClass), limit, clock()))
  }
}

function brakeRefusal(state: Extract<BrakeState, { engaged: true }>): GatewayError {
  return new GatewayError('brakeEngaged', {
    message: `New requests are temporarily paused. Retry in ${state.retryAfterS} seconds.`,
    inside: `the emergency brake is on: ${state.reason ?? 'no reason given'}`,
    retryAfterS: state.retryAfterS,
  })
}

function refusalMessage({ reason, limit }: Extract<RateVerdict, { allowed: false }>, retryAfterS: number): string {
  if (reason === 'penalty') {
    return `A temporary restriction is in place because you exceeded the rate limit repeatedly. Retry in ${retryAfterS} seconds.`
  }
  return `Rate limit exceeded: ${limit} requests per minute. Retry in ${retryAfterS} seconds.`
}

function rateHeaders(verdict: RateVerdict): RateHeaders {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(verdict.allowed ? verdict.remaining : 0),
    'x-ratelimit-reset': String(Math.ceil(verdict.resetAtMs / 1000)),
  }
}
