import type { JsonObject } from '../json-value.ts'
import { openai, wholeCall } from './openai.ts'
import type { AnswerContext, VendorStyle } from './vendor-style.ts'

/**
 * Common to servers that imitate OpenAI: no OpenAI headers, service tier, obfuscation or refusals, and thinking under a
 * key of the delta.
 */
export function openAiCompatible(
  thinkingKey: (context: AnswerContext) => 'reasoning' | 'reasoning_content',
  differences: Partial<VendorStyle>,
): VendorStyle {
  return {
    ...openai,
    headers: {},
    envelope: ({ id, created, model }) => ({ id, object: 'chat.completion.chunk', created, model }),
    thinking: (pieces, context) => pieces.map((piece) => ({ [thinkingKey(context)]: piece })),
    refusal: (piece) => ({ content: piece }),
    open: ([first = {}, ...rest]) =>
      'tool_calls' in first
        ? [{ role: 'assistant', content: null, ...first }, ...rest]
        : [{ role: 'assistant', content: '' }, ...(Object.keys(first).length === 0 ? [] : [first]), ...rest],
    hasNullUsage: () => false,
    dressChunk: (chunk) => chunk,
    message: ({ text, refusal, thinking, calls }, context) => {
      const content = [...text, ...refusal]
      const message: JsonObject = {
        role: 'assistant',
        content: content.length === 0 && calls.length > 0 ? null : content.join(''),
      }
      if (thinking.length > 0) message[thinkingKey(context)] = thinking.join('')
      if (calls.length > 0) message.tool_calls = calls.map(wholeCall)
      return message
    },
    rateLimitHeaders: { 'retry-after': '2' },
    ...differences,
  }
}

/** Vendors that put the role on the first delta instead of in a separate chunk. */
export function roleOnFirstDelta([first = {}, ...rest]: JsonObject[]): JsonObject[] {
  return [{ role: 'assistant', ...first }, ...rest]
}
