/** The tiers in the contract's order. */
export const contractTiers = [
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
