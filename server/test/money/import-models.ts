import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'

export interface TestModel {
  id: string
  /** The vendor whose price it is. */
  provider: string
  pricing: Record<string, string>
}

/** Imports the sample catalogue with these models beside it. */
export async function importModels(pool: Pool, models: readonly TestModel[]): Promise<void> {
  const text = await readFile(new URL('../samples/catalogue.json', import.meta.url), 'utf8')
  const sample: unknown = JSON.parse(text)
  const entries = models.map(({ id, provider, pricing }) => ({
    id,
    name: id,
    author: id.split('/')[0],
    kind: 'chat',
    provider,
    upstream_model_id: id.split('/')[1],
    context_length: 1_000_000,
    max_completion_tokens: 1_000,
    input_modalities: ['text'],
    output_modalities: ['text'],
    pricing,
    status: 'active',
    offers: [],
  }))
  const parsed = parseCatalogueFile(Array.isArray(sample) ? [...sample, ...entries] : entries)
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
}
