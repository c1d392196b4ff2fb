import type { ReplyContext } from '#dialects/dialect.ts'
import type { Emit, OutputOptions } from './output-steps.ts'
import { idStemOf } from './response-object.ts'

export function outputOptions(context: ReplyContext, emit: Emit): OutputOptions {
  const { include } = context.requestBody
  return {
    idStem: `weir_${idStemOf(context)}`,
    hidesReasoning: context.excludeReasoning,
    sealsAll: Array.isArray(include) && include.includes('reasoning.encrypted_content'),
    emit,
  }
}
