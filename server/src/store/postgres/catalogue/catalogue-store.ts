import type { Pool, PoolClient } from 'pg'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { CatalogueStore, ImportOptions, ImportReport } from '#ports/catalogue.ts'
import { addAnnouncement, noteNearRetirements } from '../announcements/announce.sql.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import {
  bumpCatalogueRevision,
  lockCatalogueRevision,
  readCatalogueRevision,
  type RevisionRow,
} from '../revisions.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import {
  deactivateOffers,
  insertChangedPrices,
  selectUnstatedPrices,
  unlistModels,
  type UnstatedPrice,
  upsertModels,
  upsertOffers,
} from './catalogue-import.sql.ts'
import { forgetImport, recordImport } from './catalogue-imports.sql.ts'
import { selectPriceVersions, type SelectedVersion } from './catalogue.sql.ts'
import { loadCatalogue } from './load-catalogue.ts'

/** The catalogue in Postgres. */
export function createCatalogueStore(pool: Pool): CatalogueStore {
  return {
    load: () => refuseWhenAway(loadCatalogue(pool)),
    import: (rows, nowMs, options = {}) => refuseWhenAway(importCatalogue(pool, { rows, nowMs, ...options })),
    async revision() {
      const { rows } = await refuseWhenAway(pool.query<RevisionRow>(readCatalogueRevision))
      return rows[0]?.revision ?? 0
    },
    async priceHistory(modelId) {
      const { rows } = await refuseWhenAway(pool.query<SelectedVersion>(selectPriceVersions, [modelId]))
      return rows.map(({ valid_from_ms: validFromMs, ...price }) => ({ ...price, validFromMs }))
    },
  }
}

interface Import extends ImportOptions {
  readonly rows: readonly CatalogueRow[]
  readonly nowMs: number
}

/** Writes a whole file in one transaction and changes the revision last, so that no process loads only some of it. */
function importCatalogue(
  pool: Pool,
  { rows, nowMs, replace = false, kept = [], expectedRevision, entry, before, undoes, announcement }: Import,
): Promise<ImportReport> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const [locked] = (await client.query<RevisionRow>(lockCatalogueRevision)).rows
    if (expectedRevision !== undefined && locked?.revision !== expectedRevision) {
      throw new GatewayError('conflict', {
        message: 'The catalogue has changed since this proposal was created. Compare it with the sources again.',
      })
    }
    const ids = rows.map((row) => row.id)
    await client.query(upsertModels, [JSON.stringify(rows.map(({ offers: _, prices: __, ...model }) => model))])
    const offers = rows.flatMap((row) => row.offers.map((offer) => ({ modelId: row.id, ...offer })))
    const offersJson = JSON.stringify(offers)
    await client.query(upsertOffers, [offersJson])
    await client.query(deactivateOffers, [ids, offersJson])
    const prices = await addPrices(client, rows, nowMs)
    const unlisted = replace ? ((await client.query(unlistModels, [[...ids, ...kept]])).rowCount ?? 0) : 0
    await appendAudit(client, entry === undefined ? [] : [entry], nowMs)
    await client.query(bumpCatalogueRevision)
    if (undoes !== undefined) await client.query(forgetImport, [undoes])
    if (before !== undefined && before.length > 0)
      await client.query(recordImport, [newUuid(nowMs), new Date(nowMs), JSON.stringify(before)])
    const announced = await announce(client, announcement, nowMs)
    return {
      models: rows.length,
      offers: offers.length,
      ...prices,
      retired: rows.filter((row) => row.retiresOn !== null && Date.parse(row.retiresOn) <= nowMs).length,
      unlisted,
      announced,
    }
  })
}

async function announce(
  client: PoolClient,
  { models, isWanted }: NonNullable<ImportOptions['announcement']> = { models: [], isWanted: false },
  nowMs: number,
): Promise<number> {
  await noteNearRetirements(client, models, nowMs)
  if (!isWanted || models.length === 0) return 0
  await addAnnouncement(client, { kind: 'change', models, nowMs })
  return models.length
}

type AddedPrices = Pick<ImportReport, 'pricesAdded' | 'pricesWithdrawn' | 'unchanged'>

async function addPrices(client: PoolClient, rows: readonly CatalogueRow[], nowMs: number): Promise<AddedPrices> {
  const now = new Date(nowMs)
  const insert = async (prices: readonly (PriceRow & { modelId: string })[]): Promise<number> => {
    const versions = prices.map((price) => ({ id: newUuid(nowMs), ...price }))
    return (await client.query(insertChangedPrices, [JSON.stringify(versions), now])).rowCount ?? 0
  }
  const stated = rows.flatMap((row) => row.prices.map((price) => ({ modelId: row.id, ...price })))
  const unstated = await client.query<UnstatedPrice>(selectUnstatedPrices, [
    rows.map((row) => row.id),
    JSON.stringify(stated.map(({ modelId, provider, variant }) => ({ modelId, provider, variant }))),
  ])
  const pricesAdded = await insert(stated)
  const pricesWithdrawn = await insert(
    unstated.rows.map(({ model_id, provider, variant }) => {
      return { modelId: model_id, provider, variant, units: {}, tiers: [] }
    }),
  )
  return { pricesAdded, pricesWithdrawn, unchanged: stated.length - pricesAdded }
}
