import type { Sampling } from './call.ts'

/** The numeric sampling fields of a call, with their names in chat completions. */
export const samplingFields = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  topA: 'top_a',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  repetitionPenalty: 'repetition_penalty',
  seed: 'seed',
} as const satisfies Record<Exclude<keyof Sampling, 'stop'>, string>
