import type { JsonObject } from '../../json-value.ts'
import type { GeminiAnswer, GeminiUsage } from './gemini-answer.ts'
import { saidIn } from './gemini-parts.ts'

/** A streamed answer: one part per frame, the finish reason in its own frame, running usage on every frame. */
export function framesOf(answer: GeminiAnswer): JsonObject[] {
  const { parts, finishReason } = saidIn(answer)
  const usage = usageOf(answer)
  const running = parts.map((part, position) =>
    frame(answer, { content: { parts: [part], role: 'model' } }, runningUsage(usage, position + 1)),
  )
  const ending = answer.kind === 'output-blocked' ? {} : { content: { parts: [{ text: '' }], role: 'model' } }
  const last = finishReason === null ? [] : [frame(answer, { ...ending, finishReason, ...grounding(usage) }, usage)]
  return [...opening(answer), ...running, ...last, ...errorFrame(answer)]
}

/** The same answer in one piece. Text streamed in pieces is one part, which then carries the signature. */
export function documentOf(answer: GeminiAnswer): JsonObject {
  if (answer.kind === 'prompt-blocked') return blockedFrame(answer)
  const { parts, finishReason } = saidIn(answer)
  const joined = parts.reduce<JsonObject[]>(joinText, [])
  const content = joined.length === 0 ? {} : { content: { parts: joined, role: 'model' } }
  const usage = usageOf(answer)
  const reason = finishReason === null ? {} : { finishReason }
  return frame(answer, { ...content, ...reason, ...grounding(usage) }, usage)
}

/** Sources come with the end of an answer. */
function grounding(usage: GeminiUsage | null): JsonObject {
  const { queries = [] } = usage ?? {}
  return queries.length === 0 ? {} : { groundingMetadata: { webSearchQueries: [...queries], groundingChunks: [] } }
}

function joinText(joined: JsonObject[], part: JsonObject): JsonObject[] {
  const last = joined.at(-1)
  const isSameKind = typeof last?.text === 'string' && typeof part.text === 'string' && last.thought === part.thought
  if (last === undefined || !isSameKind) return [...joined, part]
  return [...joined.slice(0, -1), { ...last, ...part, text: `${last.text}${part.text}` }]
}

function opening(answer: GeminiAnswer): JsonObject[] {
  if (answer.kind === 'prompt-blocked') return [blockedFrame(answer)]
  return answer.vertex === true ? [{ ...envelope(answer), usageMetadata: { trafficType: 'ON_DEMAND' } }] : []
}

function errorFrame(answer: GeminiAnswer): JsonObject[] {
  if (answer.kind !== 'mid-stream-error') return []
  const message = answer.message ?? 'The model is overloaded. Please try again later.'
  return [{ error: { code: 503, message, status: 'UNAVAILABLE' } }]
}

function blockedFrame(answer: GeminiAnswer & { kind: 'prompt-blocked' }): JsonObject {
  const promptTokens = answer.usage?.prompt ?? 9
  return {
    promptFeedback: { blockReason: answer.reason ?? 'SAFETY', safetyRatings: [] },
    usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
    ...envelope(answer),
  }
}

function frame(answer: GeminiAnswer, candidate: JsonObject, usage: GeminiUsage | null): JsonObject {
  return {
    candidates: [{ ...candidate, index: 0 }],
    ...(usage === null ? {} : { usageMetadata: usageMetadata(usage, answer.vertex === true) }),
    ...envelope(answer),
  }
}

function envelope({ model, responseId, vertex }: GeminiAnswer): JsonObject {
  return {
    modelVersion: model ?? 'gemini-x',
    ...(vertex === true ? { createTime: '2026-01-01T00:00:00.000000Z' } : {}),
    responseId: responseId ?? 'r1',
  }
}

function usageOf(answer: GeminiAnswer): GeminiUsage | null {
  if (answer.usage !== undefined) return answer.usage
  return { prompt: 9, candidates: saidIn(answer).parts.length }
}

function runningUsage(usage: GeminiUsage | null, said: number): GeminiUsage | null {
  return usage === null ? null : { ...usage, candidates: Math.min(usage.candidates, said), imageOutput: 0 }
}

function usageMetadata(usage: GeminiUsage, isVertex: boolean): JsonObject {
  const { prompt, candidates, thoughts = 0, cached = 0, toolUse = 0, audioInput = 0, imageOutput = 0 } = usage
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates + thoughts + toolUse,
    promptTokensDetails: [...modality('TEXT', prompt - audioInput), ...modality('AUDIO', audioInput)],
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    ...(toolUse === 0 ? {} : { toolUsePromptTokenCount: toolUse }),
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached, cacheTokensDetails: modality('TEXT', cached) }),
    ...(imageOutput === 0 ? {} : { candidatesTokensDetails: modality('IMAGE', imageOutput) }),
    ...(isVertex ? { trafficType: 'ON_DEMAND' } : {}),
  }
}

function modality(name: string, tokenCount: number): JsonObject[] {
  return tokenCount === 0 ? [] : [{ modality: name, tokenCount }]
}
