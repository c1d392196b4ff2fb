import { type TSchema, Type } from 'typebox'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Components } from './components.ts'
import { headersOf } from './headers.ts'

/** Our own error format. */
export const errorSchema = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'Human-readable error message.' }),
      type: Type.String({ description: 'Error category.' }),
      code: Type.Union([Type.String(), Type.Integer()], {
        description: 'Machine-readable error code. See docs/errors.md for the list.',
      }),
    }),
  },
  { $id: 'Error', description: 'An error response.' },
)

/** The error responses by status. Errors without a specific code are the same everywhere, so they are components. */
export function refusals(components: Components, names: readonly ErrorName[], form?: TSchema): JsonObject {
  const schema = components.schema(form ?? errorSchema)
  const byStatus = new Map<number, Set<string>>()
  for (const name of names) {
    const { status, code } = errorCatalogue[name]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(String(code)))
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const isPlain = form === undefined && codes.size === 1 && codes.has(String(status))
      const response: JsonObject = {
        description: `Possible error codes: ${[...codes].join(', ')}.`,
        headers: headersOf.refusal,
        content: { 'application/json': { schema } },
      }
      return [String(status), isPlain ? components.response(`Refused${status}`, response) : response]
    }),
  )
}
