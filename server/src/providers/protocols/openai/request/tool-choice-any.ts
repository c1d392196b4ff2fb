import type { JsonObject } from '#lib/json.ts'

/** Some upstreams use `any` to force a tool call. */
export function toolChoiceAny(body: JsonObject): void {
  if (body.tool_choice === 'required') body.tool_choice = 'any'
}
