import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'

export interface TestModel {
  id: string
  /** The vendor of the price. */
  provider: string
  pricing: Record<string, string>
  tiers?: readonly Record<string, string | number>[]
  rules?: readonly Record<string, string>[]
  maxCompletionTokens?: number
  /** A model of another kind than conversations. */
  kind?: 'image'
  /** Its input modalities, by default only text. */
  inputs?: readonly string[]
  /** Whether the catalogue says that it reasons. */
  reasons?: boolean
  /** Whether the catalogue says that it calls tools. */
  callsTools?: boolean
  /** Prices of other providers. */
  offers?: readonly { provider: string; pricing: Record<string, string>; api?: string }[]
}

/** Imports the sample catalogue with these additional models. */
export async function importModels(pool: Pool, models: readonly TestModel[]): Promise<void> {
  const text = await readFile(new URL('../samples/catalogue.json', import.meta.url), 'utf8')
  const sample: unknown = JSON.parse(text)
  const entries = models.map(
    ({
      id,
      provider,
      pricing,
      tiers,
      rules,
      maxCompletionTokens = 1_000,
      kind = 'chat',
      inputs = ['text'],
      reasons = false,
      callsTools = false,
      offers = [],
    }) => ({
      id,
      name: id,
      author: id.split('/')[0],
      kind,
      provider,
      upstream_model_id: id.split('/')[1],
      context_length: 1_000_000,
      max_completion_tokens: maxCompletionTokens,
      input_modalities: inputs,
      output_modalities: [kind === 'image' ? 'image' : 'text'],
      pricing,
      ...(tiers === undefined ? {} : { pricing_tiers: tiers }),
      ...(rules === undefined ? {} : { pricing_rules: rules }),
      supported_parameters: ['max_tokens', ...(reasons ? ['reasoning'] : []), ...(callsTools ? ['tools'] : [])],
      status: 'active',
      offers: offers.map((offer) => ({ ...offer, upstream_model_id: id.split('/')[1] })),
    }),
  )
  const parsed = parseCatalogueFile(Array.isArray(sample) ? [...sample, ...entries] : entries)
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
}
