import type { ReplyContext } from '#dialects/dialect.ts'
import { type ClientTool, clientTools } from './client-tools.ts'
import type { Emit, OutputOptions } from './output-steps.ts'
import { idStemOf } from './response-object.ts'

export function outputOptions(context: ReplyContext, emit: Emit): OutputOptions {
  const { include, tools } = context.requestBody
  let byName: ReadonlyMap<string, ClientTool> | undefined
  return {
    idStem: `weir_${idStemOf(context)}`,
    hidesReasoning: context.excludeReasoning,
    sealsAll: Array.isArray(include) && include.includes('reasoning.encrypted_content'),
    emit,
    toolNamed: (name) => (byName ??= new Map(clientTools(tools).map((tool) => [tool.flatName, tool]))).get(name),
  }
}
