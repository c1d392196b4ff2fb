import type { Log } from '#lib/log.ts'
import type { BreakerTrips } from '#ports/organization-rules.ts'
import type { Money } from '#ports/money.ts'
import { createHoldExtender, type HoldExtender } from './extend-hold.ts'
import { createHold, type HoldStage } from './hold.ts'
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts'
import { createTripReporter } from './trip-reporter.ts'

export interface HoldPorts {
  readonly money: Money
  readonly breakerTrips: BreakerTrips
  readonly log: Pick<Log, 'warn'>
}

interface ComposedHold {
  readonly hold: HoldStage
  readonly extender: HoldExtender
  readonly leases: LeaseKeeper
}

/** The hold stage, with the parts that renew and extend its holds. */
export function composeHold(
  { money, breakerTrips, log }: HoldPorts,
  { leaseMs, creditsUrl }: { leaseMs: number; creditsUrl: string | null },
): ComposedHold {
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)
  const leases = createLeaseKeeper({ money, leaseMs, onError: warn('failed to renew hold leases') })
  const trips = createTripReporter({
    trips: breakerTrips,
    nowMs: () => performance.now(),
    onError: warn('failed to record a spend breaker trip'),
  })
  return {
    hold: createHold({ money, leases, trips, creditsUrl }),
    extender: createHoldExtender({ money, onError: warn('failed to extend a hold') }),
    leases,
  }
}
