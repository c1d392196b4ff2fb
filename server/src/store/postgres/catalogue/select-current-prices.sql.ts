import type { StatedRule, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'

/** The newest version of every price; one without units and rules says that the price was withdrawn. */
export const selectCurrentPrices = `
  SELECT DISTINCT ON (model_id, provider, variant) id, model_id, provider, variant, units, tiers, rules
    FROM prices
   ORDER BY model_id, provider, variant, valid_from DESC`

export interface SelectedPrice {
  id: string
  model_id: string
  provider: string
  variant: string
  units: StatedUnits
  tiers: StatedTier[]
  rules: StatedRule[]
}
