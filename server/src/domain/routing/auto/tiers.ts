/** What `auto` tells requests apart by; each has a list of models in both tables. */
export const autoTiers = [
  'simple',
  'standard',
  'complex',
  'reasoning',
  'coding',
  'vision',
  'image',
  'video',
  'data',
  'search',
  'social',
  'email',
  'calendar',
  'trading',
] as const
export type AutoTier = (typeof autoTiers)[number]

/** `auto` takes its models from the paid table, `auto:free` from the free one. */
export const autoTables = ['paid', 'free'] as const
export type AutoTable = (typeof autoTables)[number]

/** From the least to the most demanding; the other tiers are about a subject, and stand beside these. */
export const ladder = ['simple', 'standard', 'complex', 'reasoning'] as const satisfies readonly AutoTier[]
