import type { FreeModel } from '#domain/routing/free-models.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { FreeModelStore } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

const idForm = /^[a-z0-9._~-]+\/[a-z0-9._:@/+-]+$/
const perMinuteMax = 1_000_000
const perDayMax = 1_000_000_000

/** Makes a model free within a quota, or changes its quota. */
export async function setFreeModel(
  store: FreeModelStore,
  { modelId, ...change }: Partial<FreeModel> & { modelId: string },
  author: ChangeAuthor,
): Promise<FreeModel> {
  if (!idForm.test(modelId)) throw malformed('The model id must be lowercase, as <provider>/<model>.')
  refuseCount(change.requestsPerMinute, perMinuteMax, 'Requests per minute')
  refuseCount(change.unitsPerDay, perDayMax, 'Units per day')
  const target = { kind: 'free_model', id: modelId }
  return store.set(modelId, change, (states) => platformEntry(author, { action: 'free.set', target, ...states }))
}

function refuseCount(count: number | undefined, max: number, what: string): void {
  if (count === undefined || (Number.isInteger(count) && count >= 0 && count <= max)) return
  throw malformed(`${what} must be an integer of at most ${max}.`)
}

/** Makes the model paid again. A model that is free because of its name gets the default quota. */
export async function removeFreeModel(store: FreeModelStore, modelId: string, author: ChangeAuthor): Promise<void> {
  const target = { kind: 'free_model', id: modelId }
  const removed = await store.remove(modelId, (states) =>
    platformEntry(author, { action: 'free.remove', target, ...states }),
  )
  if (!removed) throw new GatewayError('notFound', { message: `${modelId} has no free quota.` })
}
