/** The tiers of `auto`; each has a list of models in both tables. */
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

/** `auto` uses the models of the paid table, `auto:free` those of the free one. */
export const autoTables = ['paid', 'free'] as const
export type AutoTable = (typeof autoTables)[number]

/** From the least to the most demanding; the other tiers are for subjects. */
export const ladder = ['simple', 'standard', 'complex', 'reasoning'] as const satisfies readonly AutoTier[]
