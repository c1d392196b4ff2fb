import type { Uuid } from '#lib/uuid.ts'

/** The layers of an organization, widest first. */
export const layerKinds = ['organization', 'team', 'member'] as const
export type LayerKind = (typeof layerKinds)[number]

/** One organization, team or member, which may override inherited settings. */
export interface LayerOwner {
  readonly kind: LayerKind
  readonly id: Uuid
  readonly organizationId: Uuid
}
