import type { Campaign } from '#domain/payments/campaign.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Redemptions } from '#ports/redemptions.ts'
import { platformEntry } from '../operators/platform-entry.ts'

/** Enables or disables a campaign; undefined leaves it unchanged. Past redemptions stay valid. */
export async function changeCampaign(
  redemptions: Redemptions,
  { reference, enabled }: { reference: string; enabled: boolean | undefined },
  author: ChangeAuthor,
): Promise<Campaign> {
  const changed = isUuid(reference) ? await change(redemptions, { id: reference, enabled }, author) : null
  if (changed === null)
    throw new GatewayError('notFound', { message: `Campaign ${reference.slice(0, 100)} not found.` })
  return changed
}

function change(
  redemptions: Redemptions,
  { id, enabled }: { id: string; enabled: boolean | undefined },
  author: ChangeAuthor,
): Promise<Campaign | null> {
  if (enabled === undefined) return redemptions.find(id)
  return redemptions.change(id, {
    enabled,
    describe: (before) =>
      platformEntry(author, {
        action: 'campaign.update',
        target: { kind: 'campaign', id },
        before: { enabled: before.enabled },
        after: { enabled },
      }),
    nowMs: author.nowMs,
  })
}
