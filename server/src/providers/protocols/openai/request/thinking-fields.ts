/** Every field by which clients of chat wish for thinking, or for none. */
export const thinkingFields = [
  'reasoning',
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'chat_template_kwargs',
] as const

const names: ReadonlySet<string> = new Set(thinkingFields)

export function isThinkingField(name: string): boolean {
  return names.has(name)
}
