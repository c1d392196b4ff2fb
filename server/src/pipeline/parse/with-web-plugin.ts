import type { DialectCall } from '#dialects/dialect.ts'
import { isJsonObject } from '#lib/json.ts'

/** The call with the web plugin switched on, as `:online` behind a model's name asks for. What the caller says of it stays. */
export function withWebPlugin(call: DialectCall): DialectCall {
  const { plugins } = call.body
  const named = Array.isArray(plugins) ? plugins : []
  if (named.some((plugin) => isJsonObject(plugin) && plugin.id === 'web')) return call
  return { ...call, body: { ...call.body, plugins: [...named, { id: 'web' }] } }
}
