import type { OfferRow, StatedRule, StatedUnits } from '#domain/catalogue/catalogue-row.ts'

/** A price from the provider's own page. Units that the page does not state come from other sources. */
export interface OfficialPrice {
  readonly provider: string
  readonly upstreamModel: string
  readonly units: StatedUnits
  readonly rules?: readonly StatedRule[]
  readonly source: string
  /** The day on which the page was read, possibly from a slightly older stored copy. */
  readonly date: string
}

/**
 * The official price of an offer outranks every aggregator: they copy such pages late, or copy another tier. Prices of
 * regions come from other sources, because the pages state base prices only.
 */
export function officialPriceOf(
  offer: Pick<OfferRow, 'provider' | 'variant' | 'upstreamModel'>,
): OfficialPrice | undefined {
  if (offer.variant !== '') return undefined
  const name = offer.upstreamModel.toLowerCase()
  return officialPrices.find(({ provider, upstreamModel }) => provider === offer.provider && upstreamModel === name)
}

/** Whether the page states the whole price, not only the price of a service class. */
export function isWholePrice({ units }: OfficialPrice): boolean {
  return units.prompt !== undefined && units.completion !== undefined
}

const date = '2026-11-17'

const priorityPage = { provider: 'openai', source: 'https://openai.com/api-priority-processing/', date }
const deepseekPage = { provider: 'deepseek', source: 'https://api-docs.deepseek.com/quick_start/pricing/', date }

/**
 * Peak hours are 01:00-04:00 and 06:00-10:00 on weekdays. Chinese holidays are off-peak too, and cost the peak price
 * here.
 */
const offPeak = 'Mon-Fri 00:00-01:00 04:00-06:00 10:00-24:00; Sat,Sun 00:00-24:00'

const flash = {
  ...deepseekPage,
  units: { prompt: '0.0000003', completion: '0.0000012', cache_read: '0.000000006' },
  rules: [
    { unit: 'prompt', usd: '0.00000015', when: { utc: offPeak } },
    { unit: 'completion', usd: '0.0000006', when: { utc: offPeak } },
    { unit: 'cache_read', usd: '0.000000003', when: { utc: offPeak } },
  ],
} as const satisfies Omit<OfficialPrice, 'upstreamModel'>

const officialPrices: readonly OfficialPrice[] = [
  {
    ...priorityPage,
    upstreamModel: 'gpt-5.5',
    units: { priority_prompt: '0.0000125', priority_completion: '0.000075' },
  },
  {
    ...priorityPage,
    upstreamModel: 'gpt-5.4',
    units: { priority_prompt: '0.000005', priority_completion: '0.00003' },
  },
  {
    ...priorityPage,
    upstreamModel: 'gpt-5.4-mini',
    units: { priority_prompt: '0.0000015', priority_completion: '0.000009' },
  },
  {
    ...priorityPage,
    upstreamModel: 'gpt-5.2',
    units: { priority_prompt: '0.0000035', priority_completion: '0.000028' },
  },
  ...['gpt-5.1', 'gpt-5', 'gpt-5.1-codex', 'gpt-5-codex'].map((upstreamModel) => ({
    ...priorityPage,
    upstreamModel,
    units: { priority_prompt: '0.0000025', priority_completion: '0.00002' },
  })),
  {
    ...priorityPage,
    upstreamModel: 'gpt-5-mini',
    units: { priority_prompt: '0.00000045', priority_completion: '0.0000036' },
  },
  {
    provider: 'anthropic',
    upstreamModel: 'claude-sonnet-5',
    units: {
      prompt: '0.000002',
      completion: '0.00001',
      cache_read: '0.0000002',
      cache_write: '0.0000025',
      cache_write_1h: '0.000004',
    },
    source: 'https://platform.claude.com/docs/en/models/sonnet-5/overview',
    date,
  },
  {
    provider: 'anthropic',
    upstreamModel: 'claude-opus-5-5',
    units: {
      prompt: '0.000004',
      completion: '0.00002',
      cache_read: '0.0000002',
      cache_write: '0.000005',
      cache_write_1h: '0.000008',
    },
    source: 'https://platform.claude.com/docs/en/models/opus-5-5/overview',
    date,
  },
  {
    // Others report half of this for cache reads since 2026-10-07; the page that was read has the higher price.
    provider: 'anthropic',
    upstreamModel: 'claude-sonnet-5-5',
    units: {
      prompt: '0.000002',
      completion: '0.00001',
      cache_read: '0.0000002',
      cache_write: '0.0000025',
      cache_write_1h: '0.000004',
    },
    source: 'https://platform.claude.com/docs/en/models/sonnet-5-5/overview',
    date,
  },
  {
    provider: 'anthropic',
    upstreamModel: 'claude-fable-5-1',
    units: {
      prompt: '0.00001',
      completion: '0.00005',
      cache_read: '0.00000025',
      cache_write: '0.0000125',
      cache_write_1h: '0.00002',
    },
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    date,
  },
  {
    provider: 'openai',
    upstreamModel: 'gpt-6-sol',
    units: {
      prompt: '0.000002',
      completion: '0.00001',
      cache_read: '0.0000002',
      cache_write: '0.0000025',
    },
    source: 'https://developers.openai.com/api/docs/models/gpt-6-sol',
    date,
  },
  {
    ...deepseekPage,
    upstreamModel: 'deepseek-v4-pro',
    units: { prompt: '0.00000132', completion: '0.00000396', cache_read: '0.000000044' },
    rules: [
      { unit: 'prompt', usd: '0.00000066', when: { utc: offPeak } },
      { unit: 'completion', usd: '0.00000198', when: { utc: offPeak } },
      { unit: 'cache_read', usd: '0.000000022', when: { utc: offPeak } },
    ],
  },
  { ...flash, upstreamModel: 'deepseek-flash' },
  // The page says that requests under the old name are served by the new model, at its price.
  { ...flash, upstreamModel: 'deepseek-v4-flash' },
]
