/** Every field with which chat clients request or turn off thinking. */
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
