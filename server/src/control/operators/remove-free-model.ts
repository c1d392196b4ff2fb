import { GatewayError } from '#errors/gateway-error.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { FreeModelBook } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

/** From now on the model is paid for; an entry that is free by its name has the usual quota again. */
export async function removeFreeModel(book: FreeModelBook, modelId: string, author: ChangeAuthor): Promise<void> {
  const target = { kind: 'free_model', id: modelId }
  const removed = await book.remove(modelId, (states) =>
    platformEntry(author, { action: 'free.remove', target, ...states }),
  )
  if (!removed) throw new GatewayError('notFound', { message: `Nothing is said of ${modelId} as a free model.` })
}
