import { setFreeModel } from '#control/operators/free-models.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createFreeModelStore } from '#store/postgres/free/free-model-store.ts'
import type { TestGateway } from './gateway.ts'

/** Gives a model a free tier, like `weir free set`. */
export async function offerFreeModel(
  { pool, gateway }: Pick<TestGateway, 'pool' | 'gateway'>,
  modelId: string,
  limits: { requestsPerMinute?: number; unitsPerDay?: number } = {},
): Promise<void> {
  await setFreeModel(createFreeModelStore(pool), { modelId, ...limits }, operatorAuthor(Date.now()))
  await gateway.refresh()
}
