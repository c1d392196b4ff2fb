import type { Pool } from 'pg'
import { announcedModels } from '#control/catalogue/announcements/announced-models.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import { createAnnouncements } from '#store/postgres/announcements/postgres-announcements.ts'
import type { CommandOutput } from './command.ts'

/** How many customers would be told about the changes of a plan. */
export async function customersToTell(
  pool: Pool,
  { catalogue, plan, nowMs }: { catalogue: Catalogue; plan: CatalogueProposal; nowMs: number },
): Promise<CommandOutput> {
  const models = announcedModels(catalogue, plan.rows).map(({ id }) => id)
  if (models.length === 0) return { lines: [], data: { models: 0, customers: 0 } }
  const customers = await createAnnouncements(pool).countCustomers(models, nowMs)
  const line = `Customers that used these models in the last 30 days: ${customers}. Applying it tells them, unless you add --no-announce.`
  return { lines: ['', line], data: { models: models.length, customers } }
}
