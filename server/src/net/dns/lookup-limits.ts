import type { ResolverOptions } from './resolver.ts'
import { tooMuch } from '../outbound.ts'

type LookupLimits = ResolverOptions['limits']

/**
 * For hosts that accounts name. Eight silent servers delay an account's own lookups; it takes 32 such accounts to delay
 * others, and then no longer than one lookup may last.
 */
export const accountLookups: LookupLimits = {
  atOnceMax: 256,
  atOnceMaxEach: 8,
  waitingMax: 4_096,
  waitingMaxEach: 256,
  refusal: (whose) => tooMuch(whose, 'host name lookups'),
}

/** For the hosts of the operator's own upstreams, which are few. */
export const operatorLookups: LookupLimits = {
  atOnceMax: 64,
  atOnceMaxEach: 64,
  waitingMax: 4_096,
  waitingMaxEach: 4_096,
  refusal: (whose) => tooMuch(whose, 'upstream lookups'),
}
