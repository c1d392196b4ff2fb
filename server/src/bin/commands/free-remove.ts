import { operatorAuthor } from '#control/operators/operator-author.ts'
import { removeFreeModel } from '#control/operators/remove-free-model.ts'
import { createFreeModelBook } from '#store/postgres/free/free-model-book.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const freeRemove: Command = {
  words: 'free remove',
  summary: 'Have a model paid for again.',
  positionals: ['model'],
  run: (input) =>
    withSession(async ({ pool }) => {
      const modelId = input.argument(0)
      await removeFreeModel(createFreeModelBook(pool), modelId, operatorAuthor(Date.now()))
      return { lines: [`${modelId} is no longer free`], data: { modelId } }
    }),
}
