import { callOf, type InferenceCall } from '../../api/inference-call.ts'
import type { Answer } from './answer.ts'

/** Settings for every model of the conversation, as entered. */
export interface ChatSettings {
  readonly system: string
  readonly temperature: string
  readonly maxTokens: string
  /** A JSON array of tools. */
  readonly tools: string
}

export const noSettings: ChatSettings = { system: '', temperature: '', maxTokens: '', tools: '' }

/** One prompt, and the responses by model id. */
export interface Turn {
  readonly id: number
  readonly prompt: string
  /** A data URI. */
  readonly image: string | null
  readonly answers: Readonly<Record<string, Answer>>
}

type Question = Pick<Turn, 'prompt' | 'image'>

/** The request to one model: the earlier turns that this model answered, and the prompt. */
export function chatCall(
  model: string,
  turns: readonly Turn[],
  question: Question,
  settings: ChatSettings,
  makesImages: boolean,
): InferenceCall {
  const before = turns.flatMap((turn) => {
    const answer = turn.answers[model]
    if (answer === undefined || answer.text === '') return []
    return [userMessage(turn), { role: 'assistant', content: answer.text }]
  })
  const system = settings.system.trim() === '' ? [] : [{ role: 'system', content: settings.system }]
  return callOf('chat', {
    model,
    messages: [...system, ...before, userMessage(question)],
    stream: true,
    ...(settings.temperature.trim() === '' ? {} : { temperature: Number(settings.temperature) }),
    ...(settings.maxTokens.trim() === '' ? {} : { max_tokens: Number(settings.maxTokens) }),
    ...(settings.tools.trim() === '' ? {} : { tools: JSON.parse(settings.tools) as unknown }),
    ...(makesImages ? { modalities: ['text', 'image'] } : {}),
  })
}

function userMessage({ prompt, image }: Question) {
  if (image === null) return { role: 'user', content: prompt }
  return {
    role: 'user',
    content: [
      { type: 'text', text: prompt },
      { type: 'image_url', image_url: { url: image } },
    ],
  }
}

/** Errors of the settings by input, empty if they are valid. */
export function settingErrors({
  temperature,
  maxTokens,
  tools,
}: ChatSettings): Partial<Record<keyof ChatSettings, string>> {
  return {
    ...(/^\s*(?:\d{1,2}(?:\.\d{1,3})?)?\s*$/.test(temperature) ? {} : { temperature: 'Enter a number, such as 0.7.' }),
    ...(/^\s*(?:[1-9]\d{0,6})?\s*$/.test(maxTokens) ? {} : { maxTokens: 'Enter a whole number.' }),
    ...(isToolList(tools) ? {} : { tools: 'Enter a JSON array of tools.' }),
  }
}

function isToolList(text: string): boolean {
  if (text.trim() === '') return true
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}
