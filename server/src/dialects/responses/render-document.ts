import type { Part } from '#domain/inference/parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { Charged, ReplyContext } from '#dialects/dialect.ts'
import { noteOutput } from './note-output.ts'
import { OutputBuilder } from './output-builder.ts'
import { outputOptions } from './output-options.ts'
import { endOf, responseObject } from './response-object.ts'

/** Renders a complete response: the object that a stream of the same parts would end with. */
export function renderResponse(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string {
  const [choice] = reply.choices
  const builder = new OutputBuilder(outputOptions(context, () => {}))
  let toolIndex = 0
  for (const part of choice?.parts ?? []) {
    addPart(builder, part, toolIndex)
    if (part.kind === 'tool-call') toolIndex += 1
  }
  const end = endOf(choice?.finishReason ?? null)
  builder.finish(end.status === 'incomplete' ? 'incomplete' : 'completed')
  const output = builder.items()
  noteOutput(context, { ...end, output })
  return JSON.stringify(responseObject(context, { ...end, output, charged }))
}

function addPart(builder: OutputBuilder, part: Part, toolIndex: number): void {
  switch (part.kind) {
    case 'text':
      return builder.addText(part.text)
    case 'refusal':
      return builder.addRefusal(part.text)
    case 'reasoning':
      return builder.addWholeReasoning(part)
    case 'tool-call':
      builder.startTool(toolIndex, part)
      return builder.addToolJson(toolIndex, part.argumentsJson)
    case 'image':
      return builder.addImage(part.source)
    case 'opaque':
      return builder.addOpaque(part)
    // Models do not output these parts in this dialect.
    default:
      return
  }
}
