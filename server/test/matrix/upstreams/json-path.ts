import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** The objects in an array; none if it is not an array. */
export function objectsIn(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** All members of this name that are objects, one from each holder that has it. */
export function membersOf(holders: readonly JsonObject[], name: string): JsonObject[] {
  return holders.flatMap((holder) => {
    const member = holder[name]
    return isJsonObject(member) ? [member] : []
  })
}
