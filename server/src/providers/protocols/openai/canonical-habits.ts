/**
 * What hosts want said differently when a call was not written for them: callers of chat know their host, and their body
 * passes as it is; callers of the other dialects do not.
 */
export function canonicalHabitsOf(slug: string): CanonicalHabits {
  return habits.get(slug) ?? {}
}

export interface CanonicalHabits {
  /** The field that this host takes a wish for thinking in; `reasoning_effort` where nothing is said. */
  readonly thinkingField?: 'reasoning' | 'thinking' | 'enable_thinking'
  /** How the assistant's earlier thinking goes back to it; not at all where nothing is said. */
  readonly replay?: 'details' | 'content'
  /** Marks of prompt caches are understood. Elsewhere they are unknown members, and some hosts refuse those. */
  readonly takesCacheMarks?: true
  /** Refuses sampling fields that OpenAI does not have. */
  readonly plainSampling?: true
}

const thinksInContent: CanonicalHabits = { thinkingField: 'thinking', replay: 'content' }
const qwen: CanonicalHabits = { thinkingField: 'enable_thinking' }

const habits: ReadonlyMap<string, CanonicalHabits> = new Map([
  ['alibaba', { ...qwen, takesCacheMarks: true }],
  ['alibaba-cn', { ...qwen, takesCacheMarks: true }],
  ['azure', { plainSampling: true }],
  ['byteplus', thinksInContent],
  ['deepseek', thinksInContent],
  ['mistral', { plainSampling: true }],
  ['moonshotai', thinksInContent],
  ['moonshotai-cn', thinksInContent],
  ['openai', { plainSampling: true }],
  ['openrouter', { thinkingField: 'reasoning', replay: 'details', takesCacheMarks: true }],
  ['siliconflow', qwen],
  ['siliconflow-cn', qwen],
  ['vllm', { replay: 'content' }],
  ['volcengine', thinksInContent],
  ['z-ai', thinksInContent],
  ['zhipu-cn', thinksInContent],
] satisfies [string, CanonicalHabits][])
