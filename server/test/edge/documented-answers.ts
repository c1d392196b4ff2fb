import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'

/** The responses in the OpenAPI document, and whether real responses match them. */
export class DocumentedAnswers {
  readonly #document: JsonObject

  constructor(document: JsonObject) {
    this.#document = document
  }

  /** Returns the schema of a JSON response with resolved references. */
  schemaFor(method: string, path: string, status: number): JsonObject {
    return this.#schemaOf({ method, path, status, type: 'application/json' })
  }

  /** Returns the schema of each event of a stream. */
  eventSchemaFor(method: string, path: string, status: number): JsonObject {
    return objectAt(this.#schemaOf({ method, path, status, type: 'text/event-stream' }), 'contentSchema')
  }

  /** Fails if a response or one of its events does not match, or has an undeclared field. */
  expectDeclared(method: string, path: string, answer: Reply): void {
    const place = `${method} ${path} ${answer.status}`
    if (!answer.isStream) {
      this.#expectFits(this.schemaFor(method, path, answer.status), answer.json, place)
      return
    }
    const schema = this.eventSchemaFor(method, path, answer.status)
    for (const { event, data } of answer.events) this.#expectFits(schema, data, `${place} ${event ?? ''}`)
  }

  #expectFits(schema: JsonObject, value: JsonObject, place: string): void {
    expect(Object.keys(schema), place).not.toEqual([])
    const text = `${place} ${JSON.stringify(value).slice(0, 600)}`
    expect([...Value.Errors(schema, value)], text).toEqual([])
    expect(undeclaredFields(schema, value), text).toEqual([])
  }

  #schemaOf({
    method,
    path,
    status,
    type,
  }: {
    method: string
    path: string
    status: number
    type: string
  }): JsonObject {
    const operation = objectAt(objectAt(objectAt(this.#document, 'paths'), path), method.toLowerCase())
    const response = this.#resolved(objectAt(objectAt(operation, 'responses'), String(status)))
    if (!isJsonObject(response) || Object.keys(response).length === 0) {
      throw new Error(`${method} ${path} ${status} is not documented`)
    }
    const schema = objectAt(objectAt(objectAt(response, 'content'), type), 'schema')
    return schema
  }

  /** Replaces each reference by its target. No schema contains itself. */
  #resolved(value: JsonValue | undefined): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.#resolved(item))
    if (!isJsonObject(value)) return value ?? null
    if (typeof value.$ref === 'string') {
      const target = value.$ref
        .split('/')
        .slice(1)
        .reduce((at, key) => objectAt(at, key), this.#document)
      return this.#resolved(target)
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#resolved(inner)]))
  }
}

/**
 * Returns the fields of a value that its schema does not name, even if others are allowed: fields that we send must be
 * declared. An object without named fields is free-form.
 */
function undeclaredFields(schema: JsonObject, value: JsonValue | undefined, place = ''): string[] {
  if (Array.isArray(schema.anyOf)) {
    const found = schema.anyOf
      .filter(isJsonObject)
      .filter((branch) => Value.Check(branch, value))
      .map((branch) => undeclaredFields(branch, value, place))
    return found.sort((one, other) => one.length - other.length)[0] ?? []
  }
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items')
    return value.flatMap((item, index) => undeclaredFields(items, item, `${place}[${index}]`))
  }
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return []
  const { properties } = schema
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = properties[name]
    const at = `${place}.${name}`
    return isJsonObject(declared) ? undeclaredFields(declared, inner, at) : [at]
  })
}
