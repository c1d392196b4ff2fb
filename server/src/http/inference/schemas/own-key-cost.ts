import { Type } from 'typebox'
import { closed, orNull } from './shapes.ts'

/** Additional usage fields for requests with the organization's own key. */
export const ownKeyCost = {
  cost_details: Type.Optional(
    closed('CostDetails', {
      upstream_inference_cost: orNull(
        Type.Number(),
        'Cost in USD that the provider bills to the organization’s BYOK key, or null if unknown.',
      ),
    }),
  ),
}
