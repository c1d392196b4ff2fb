import { formatUsd } from '#domain/money/nano-usd.ts'
import { csvLine } from '#lib/csv-line.ts'
import type { MadeCampaign } from './create-campaign.ts'

const heading = ['code', 'amount_usd', 'uses', 'ends_at', 'credit_expires_at', 'campaign', 'campaign_id']

/** The codes of a new campaign as CSV, one per line. */
export function* campaignCsv({ campaign, codes }: MadeCampaign): Generator<string> {
  yield csvLine(heading)
  const { amount, usesPerCode, endsAtMs, creditExpiresAtMs, name, id } = campaign
  const terms = [formatUsd(amount), usesPerCode, isoOf(endsAtMs), isoOf(creditExpiresAtMs), name, id]
  for (const code of codes) yield csvLine([code, ...terms])
}

function isoOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
