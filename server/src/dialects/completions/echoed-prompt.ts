import type { JsonObject } from '#lib/json.ts'
import { flagOf, promptsOf } from './parse-completions.ts'

/** Returns the text before each completion: the prompt with `echo`, otherwise nothing. */
export function echoedPrompts(body: JsonObject): (choice: number) => string {
  if (!flagOf(body, 'echo')) return () => ''
  const prompts = promptsOf(body.prompt)
  const count = typeof body.n === 'number' ? body.n : 1
  return (choice) => prompts[Math.floor(choice / count)] ?? ''
}
