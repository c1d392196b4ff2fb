import type { PastRequest } from '#domain/limits/replay.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Settled requests of an organization, a team or a member, for replays. */
export interface PastRequests {
  /** When the request with this many newer ones of the organization began. Null if it has fewer. */
  findStart(query: { organizationId: Uuid; newer: number }): Promise<number | null>
  /** In the order of their ids, which begin with their start. At most `limit`, after the id. */
  read(query: { owner: LayerOwner; fromMs: number; afterId: Uuid | null; limit: number }): Promise<PastRequest[]>
  /** The spend on whole UTC days: from the first (inclusive) to the second (exclusive). */
  readSpend(owner: LayerOwner, days: { fromMs: number; toMs: number }): Promise<NanoUsd>
}
