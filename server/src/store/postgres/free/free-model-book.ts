import type { Pool } from 'pg'
import { freeRules } from '#domain/limits/free-quota.ts'
import type { FreeModel } from '#domain/routing/free-models.ts'
import type { FreeModelBook } from '#ports/free-models.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { deleteFreeModel } from './delete-free-model.sql.ts'
import { lockFreeModels } from './lock-free-models.sql.ts'
import { selectFreeModels } from './select-free-models.sql.ts'
import { upsertFreeModel } from './upsert-free-model.sql.ts'

export function createFreeModelBook(pool: Pool): FreeModelBook {
  return {
    list: () => selectFreeModels(pool),
    set: (modelId, change, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockFreeModels(client)
        const [before] = await selectFreeModels(client, modelId)
        const after = { ...usual, ...termsOf(before), ...change }
        await upsertFreeModel(client, modelId, after)
        const states = { ...(before === undefined ? {} : { before: { ...termsOf(before) } }), after: { ...after } }
        await appendAudit(client, [describe(states)], Date.now())
        return after
      }),
    remove: (modelId, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockFreeModels(client)
        const [before] = await selectFreeModels(client, modelId)
        if (before === undefined) return false
        await deleteFreeModel(client, modelId)
        await appendAudit(client, [describe({ before: { ...termsOf(before) } })], Date.now())
        return true
      }),
  }
}

const usual: FreeModel = {
  requestsPerMinute: freeRules.requestsPerMinute,
  unitsPerDay: freeRules.unitsPerDay,
  enabled: true,
}

function termsOf(model: FreeModel | undefined): FreeModel | undefined {
  if (model === undefined) return undefined
  const { requestsPerMinute, unitsPerDay, enabled } = model
  return { requestsPerMinute, unitsPerDay, enabled }
}
