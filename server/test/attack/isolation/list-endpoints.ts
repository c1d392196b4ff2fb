import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { type ExpectedEndpoint, readAccess } from '#test/oracle/read-access.ts'
import { send } from '../setup/send.ts'

interface ListedEndpoints {
  readonly endpoints: readonly ExpectedEndpoint[]
  /** In the document but not in the table: their expected access is unknown. */
  readonly unexpected: readonly string[]
  /** In the table but not in the document. */
  readonly missing: readonly string[]
  readonly document: JsonObject
}

const methods = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'])

/** Lists the endpoints of a running gateway from its OpenAPI document, with the expectations of each. */
export async function listEndpoints(gatewayUrl: string): Promise<ListedEndpoints> {
  const document: unknown = JSON.parse((await send(`${gatewayUrl}/openapi.json`)).text)
  if (!isJsonObject(document)) throw new Error('the OpenAPI document is no object')
  const expected = readAccess()
  const listed = Object.entries(objectAt(document, 'paths')).flatMap(([path, operations]) =>
    Object.keys(isJsonObject(operations) ? operations : {})
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  return {
    endpoints: listed.flatMap((name) => expected.get(name) ?? []),
    unexpected: listed.filter((name) => !expected.has(name)),
    missing: [...expected.keys()].filter((name) => !listed.includes(name)),
    document,
  }
}
