import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

export type LinedPath = readonly (string | number)[]

/** A value of a file, with line numbers. */
export interface Lined {
  readonly value: JsonValue
  /** The line of a field or an entry, from 1. */
  lineAt(path: LinedPath): number
}

/** A part of the file, which knows its position. */
export interface Part {
  readonly body: JsonObject
  readonly line: number
  /** The entries of a list of objects, empty if the field is missing. */
  parts(field: string, known: readonly string[]): Part[]
  /** Reads a field; errors name its line. */
  read<Value>(field: string, read: () => Value): Value
}

/** The object at a path of the file. An unknown field is rejected, because it would be ignored silently. */
export function partAt(file: Lined, path: LinedPath, known: readonly string[]): Part {
  const line = file.lineAt(path)
  const body = path.reduce<JsonValue | undefined>(memberOf, file.value)
  if (!isJsonObject(body)) throw malformed(`line ${line}: expected an object with ${known.join(', ')}.`)
  for (const field of Object.keys(body)) {
    if (known.includes(field)) continue
    throw malformed(`line ${file.lineAt([...path, field])}: unknown field ${field}; use one of ${known.join(', ')}.`)
  }
  return {
    body,
    line,
    parts: (field, fields) => {
      const list = body[field] ?? []
      if (!Array.isArray(list)) throw malformed(`line ${file.lineAt([...path, field])}: ${field} must be an array.`)
      return list.map((_, position) => partAt(file, [...path, field, position], fields))
    },
    read: (field, read) => named(file.lineAt(body[field] === undefined ? path : [...path, field]), read),
  }
}

function memberOf(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(name)]
  return isJsonObject(value) ? value[name] : undefined
}

function named<Value>(line: number, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof GatewayError) throw malformed(`line ${line}: ${error.message}`)
    throw error
  }
}
