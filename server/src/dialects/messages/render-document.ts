import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { renderBlock } from './render-block.ts'
import { stopReasonOf } from './stop-reason.ts'
import { chargedUsage } from './usage-json.ts'

/** A whole answer as a Messages document. There is one choice; more cannot be asked for. */
export function renderDocument(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string {
  const [choice] = reply.choices
  const parts = choice?.parts ?? []
  const blocks = parts.map((part) => renderBlock(part, context)).filter((block) => block !== null)
  const stopSequence = choice?.stopSequence
  const head = { id: context.id, type: 'message', role: 'assistant', model: context.model }
  const tail = {
    stop_reason: stopReasonOf({
      reason: choice?.finishReason ?? null,
      native: choice?.nativeFinishReason ?? null,
      stopSequence,
      hasToolCalls: parts.some(({ kind }) => kind === 'tool-call'),
      hasRefusal: parts.some(({ kind }) => kind === 'refusal'),
    }),
    stop_sequence: stopSequence ?? null,
    usage: chargedUsage(charged),
  }
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks.join(',')}],${JSON.stringify(tail).slice(1)}`
}
