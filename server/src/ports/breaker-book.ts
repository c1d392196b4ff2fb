import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'

/** The owner's own settings, then those of each wider layer. */
export type BreakerLayers = readonly [BreakerSettings, ...BreakerSettings[]]

/** The spend breakers of organizations, teams and members. */
export interface BreakerBook {
  /** Null: there is no such owner. A member's team is the one they are in now. */
  find(owner: LayerOwner): Promise<BreakerLayers | null>
  /** Spent and held in the running minute and hour. `isCounted`: the owner's breaker is on, so its windows are kept. */
  readSpend(
    owner: LayerOwner,
    options: { nowMs: number; isCounted: boolean },
  ): Promise<{ minute: NanoUsd; hour: NanoUsd }>
  /**
   * Changes the owner's own settings, appends what the entry for it says, and counts the open windows of all who may
   * inherit them anew: all of it or nothing. False: there is no such owner.
   */
  change(owner: LayerOwner, change: Partial<BreakerSettings>, describe: DescribeBreakerChange): Promise<boolean>
}

/** The audit entry of a change, or null where nothing has changed. */
export type DescribeBreakerChange = (before: BreakerSettings, after: BreakerSettings) => AuditEntry | null
