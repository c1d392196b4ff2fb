/** Why a candidate was excluded before any attempt. */
export const exclusionRules = [
  'retired', // the model is no longer served
  'not_allowed', // by the organization's list of models
  'unfit', // the model or host cannot take this call
  'no_price', // it could not be charged
  'only', // the client's preferences, by the field's name
  'ignore',
  'require_parameters',
  'data_collection',
  'quantizations',
  'max_price',
  'max_cost', // the client's bound on the cost of the request
  'allow_fallbacks',
  'circuit_open', // its circuit is open
  'throttled', // it asked to be left alone
  'strict_key', // the organization's own key may not fall back
  'free_quota', // what is free of it is used up
  'no_credit', // it costs, and there is no credit
] as const
export type ExclusionRule = (typeof exclusionRules)[number]

export interface Excluded {
  readonly model: string
  /** Null if no provider of the model was considered. */
  readonly provider: string | null
  readonly rule: ExclusionRule
}

export interface ExplainedCandidate {
  readonly model: string
  readonly provider: string
  /** The price version that would have applied; missing if it would not have been charged. */
  readonly priceId?: string
}

/** How a request was routed; stored with the generation. The attempts are stored separately. */
export interface RoutingExplanation {
  /** In the order of attempts. */
  readonly candidates: readonly ExplainedCandidate[]
  readonly excluded: readonly Excluded[]
  /** The tier that `auto` chose. */
  readonly autoTier: string | null
}
