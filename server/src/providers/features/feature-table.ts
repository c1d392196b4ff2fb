import type { JsonObject, JsonValue } from '#lib/json.ts'

/** Whether the provider's price list has prices for features that the upstream bills besides tokens. */
export interface PricedFeatures {
  /** The priority service tier. */
  readonly priority: boolean
  readonly webSearch: boolean
}

/**
 * The rule for a feature that can make an upstream run and bill extra work.
 * - `pass`: it costs nothing besides the tokens that the answer reports and the hold covers.
 * - `priority`, `webSearch`: it passes if the price list has that price, and is removed otherwise.
 * - `remove`: it has no price, and the request means the same without it. `X-Params-Ignored` names it.
 * - `refuse`: it has no price, and the request would mean something else without it. The client gets a 400 with this
 *   reason.
 */
export type FeatureRule = 'pass' | 'remove' | keyof PricedFeatures | { readonly refuse: string }

/** The rule for a field depends on its value; `instead` is the value to send. */
export type FieldRule = FeatureRule | ((value: JsonValue) => FeatureRule | { readonly instead: JsonValue })

/** Every feature of one protocol that can cost more than tokens, with its rule. */
export interface FeatureTable {
  readonly fields: ReadonlyMap<string, FieldRule>
  /** The rule for fields that are not listed. */
  readonly otherFields: 'pass' | 'remove'
  /**
   * The rule for a tool by its type; the first match applies. The provider runs tools of all other types, so they are
   * removed.
   */
  readonly toolTypes: readonly (readonly [type: RegExp, rule: FeatureRule])[]
  /** The reason to reject a part of a message; undefined if it may be sent. */
  readonly refusedPart?: (part: JsonObject) => string | undefined
}
