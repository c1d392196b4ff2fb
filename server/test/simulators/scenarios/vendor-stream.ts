import type { JsonObject } from '../json-value.ts'
import type { StepsScenario } from '../scenario.ts'
import type { AnswerContext, VendorName, VendorStyle } from '../vendors/vendor-style.ts'
import { vendorStyles } from '../vendors/vendor-styles.ts'
import type { Answer, ChoiceParts } from './answer.ts'
import { choicesOf } from './answer.ts'
import { contextOf } from './answer-context.ts'

/** A streamed answer in the vendor's format. Every frame is one write step. */
export function vendorStream(vendor: VendorName, answer: Answer): StepsScenario {
  const style = vendorStyles[vendor]
  return {
    kind: 'steps',
    steps: [
      {
        do: 'head',
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...style.headers },
      },
      ...streamFrames(style, answer).map((text) => ({ do: 'write' as const, text })),
      { do: 'end' },
    ],
    ...(answer.wire === undefined ? {} : { wire: answer.wire }),
  }
}

export function dataFrame(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export const doneFrame = 'data: [DONE]\n\n'

function streamFrames(style: VendorStyle, answer: Answer): string[] {
  const context = contextOf(style, answer)
  const isFailing = answer.kind === 'mid-stream-error'
  const drafts = interleave(
    choicesOf(answer).map((parts, index) => draftChoice(style, context, { parts, index, isFailing })),
  )
  const chunks = chunksOf(style, context, drafts)
  const frames = [...style.opening(context), ...chunks.map(dataFrame)]
  if (isFailing) {
    frames.push(dataFrame(style.streamError(answer.message ?? defaultErrorMessage, context)))
    return answer.doneAfterError === true ? [...frames, doneFrame] : frames
  }
  return style.endsWithDone(context) ? [...frames, doneFrame] : frames
}

const defaultErrorMessage = 'The server had an error while processing your request.'

/** One chunk of one choice, before its envelope. */
interface Draft {
  index: number
  delta: JsonObject
  finish: string | null
}

function draftChoice(
  style: VendorStyle,
  context: AnswerContext,
  { parts, index, isFailing }: { parts: ChoiceParts; index: number; isFailing: boolean },
): Draft[] {
  const deltas = style.open([
    ...style.thinking(parts.thinking, context),
    ...parts.text.map((piece) => style.text(piece, context, parts.thinking.length > 0)),
    ...parts.refusal.map((piece) => style.refusal(piece)),
    ...style.toolCalls(parts.calls),
  ])
  const drafts: Draft[] = deltas.map((delta) => ({ index, delta, finish: null }))
  if (isFailing) return drafts
  const finish = style.finishReason(parts.finish, context)
  const last = drafts.at(-1)
  if (style.finishesOnLastDelta && last !== undefined) last.finish = finish
  else drafts.push({ index, delta: style.finishDelta(parts), finish })
  return drafts
}

/** Takes one draft of every choice in turn, as n > 1 arrives in practice. */
function interleave(choices: Draft[][]): Draft[] {
  const longest = Math.max(...choices.map((drafts) => drafts.length))
  return Array.from({ length: longest }, (_, turn) => choices.flatMap((drafts) => drafts[turn] ?? [])).flat()
}

function chunksOf(style: VendorStyle, context: AnswerContext, drafts: Draft[]): JsonObject[] {
  const place = style.usagePlace(context)
  const chunks = drafts.map((draft, position) => {
    const phase = draft.finish === null ? 'delta' : 'finish'
    const chunk: JsonObject = { ...style.envelope(context), choices: [style.choice(draft, context)] }
    if (style.hasNullUsage(context)) chunk.usage = null
    if (context.usage !== null) {
      const isLast = position === drafts.length - 1
      if (place === 'finish-chunk' && isLast && phase === 'finish') chunk.usage = style.usage(context.usage, context)
      if (place === 'every-chunk') chunk.usage = style.usage(runningUsage(context.usage, position, isLast), context)
    }
    return style.dressChunk(chunk, { phase, position }, context)
  })
  // A failing stream has no finish chunk, and then no usage either.
  const isComplete = drafts.some(({ finish }) => finish !== null)
  const isAsked = place === 'asked-chunk' || context.variant === 'continuous-usage'
  const isDue = place === 'always-chunk' || (isAsked && context.includeUsage)
  if (context.usage !== null && isComplete && isDue) {
    const chunk = { ...style.envelope(context), choices: [], usage: style.usage(context.usage, context) }
    chunks.push(style.dressChunk(chunk, { phase: 'usage', position: drafts.length }, context))
  }
  return chunks
}

function runningUsage(usage: NonNullable<AnswerContext['usage']>, position: number, isLast: boolean) {
  return isLast ? usage : { ...usage, completion: Math.min(usage.completion, position + 1), reasoning: 0 }
}
