import { formatUsd } from '#domain/money/nano-usd.ts'
import { csvLine } from '#lib/csv-line.ts'
import type { MadeCampaign } from './create-campaign.ts'

const heading = ['code', 'amount_usd', 'uses', 'ends_at', 'campaign', 'campaign_id']

/** The codes of a new campaign, a line for each. */
export function* campaignCsv({ campaign, codes }: MadeCampaign): Generator<string> {
  yield csvLine(heading)
  const endsAt = campaign.endsAtMs === null ? null : new Date(campaign.endsAtMs).toISOString()
  const terms = [formatUsd(campaign.amount), campaign.usesPerCode, endsAt, campaign.name, campaign.id]
  for (const code of codes) yield csvLine([code, ...terms])
}
