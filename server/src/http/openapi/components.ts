import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * The shared components of the document. A schema with an `$id` becomes a component of that name and is referenced
 * wherever it is used, so that generated types have names and each shape exists once.
 */
export class Components {
  readonly #schemas = new Map<string, JsonObject>()
  readonly #responses = new Map<string, JsonObject>()

  /** A schema as it appears in the document. */
  schema(schema: unknown): JsonObject {
    const referred = this.#refer(JSON.parse(JSON.stringify(schema)))
    assert(isJsonObject(referred), 'a schema is an object')
    return referred
  }

  /** The same for a whole body: an unnamed object gets this name. */
  namedSchema(name: string, schema: unknown): JsonObject {
    const referred = this.schema(schema)
    return referred.type === 'object' || referred.anyOf !== undefined ? this.#keep('schemas', name, referred) : referred
  }

  response(name: string, response: JsonObject): JsonObject {
    return this.#keep('responses', name, response)
  }

  /** Sorted by name. */
  all(): { schemas: JsonObject; responses: JsonObject } {
    return { schemas: inOrder(this.#schemas), responses: inOrder(this.#responses) }
  }

  #refer(value: JsonValue | undefined): JsonValue | undefined {
    if (Array.isArray(value)) return value.map((item) => this.#refer(item) ?? null)
    if (!isJsonObject(value)) return value
    const { $id: id, ...rest } = value
    const inside = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, this.#refer(inner)]))
    return typeof id === 'string' ? this.#keep('schemas', id, inside) : inside
  }

  #keep(kind: 'schemas' | 'responses', name: string, value: JsonObject): JsonObject {
    const kept = kind === 'schemas' ? this.#schemas : this.#responses
    const known = kept.get(name)
    assert(known === undefined || JSON.stringify(known) === JSON.stringify(value), `${name} names two shapes`)
    kept.set(name, value)
    return { $ref: `#/components/${kind}/${name}` }
  }
}

function inOrder(kept: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...kept].sort(([left], [right]) => (left < right ? -1 : 1)))
}
