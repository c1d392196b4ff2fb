import type { JsonObject } from '#lib/json.ts'

/** Some hosts use `any` if the model must use some tool. */
export function toolChoiceAny(body: JsonObject): void {
  if (body.tool_choice === 'required') body.tool_choice = 'any'
}
