import type { Uuid } from '#lib/uuid.ts'

/**
 * The console page that sells credit for a wallet: the person's own, or that of an organization. The console replaces
 * the organization's id by its path.
 */
export function creditsPageFor(creditsUrl: string, organizationId: Uuid | null): string {
  return organizationId === null ? creditsUrl : `${creditsUrl}?organization=${organizationId}`
}
