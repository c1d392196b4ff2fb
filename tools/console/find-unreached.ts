import { isJsonObject, type JsonObject } from '../../server/src/lib/json.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Operations that no page of the console calls, such as `GET /v1/credits`: of a person, of an organization, or of an
 * operator.
 */
export function findUnreached(document: JsonObject, sources: readonly string[]): string[] {
  const called = new Set(sources.flatMap(callsIn))
  return operationsOfPeople(document).filter((operation) => !called.has(operation))
}

/** Every operation that a signed-in person may call: on their own account, in an organization, or as an operator. */
function operationsOfPeople(document: JsonObject): string[] {
  return Object.entries(objectOf(document['paths'])).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = objectOf(item)[method]
      return operation !== undefined && acceptsSession(objectOf(operation)) ? [`${method.toUpperCase()} ${path}`] : []
    }),
  )
}

function acceptsSession({ security }: JsonObject): boolean {
  return Array.isArray(security) && security.some((way) => isJsonObject(way) && 'session' in way)
}

/** The operations that a source calls through the client of `console/src/api` or has the browser fetch by a link. */
function callsIn(source: string): string[] {
  const calls = source.matchAll(/\b(?:api|operators)\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g)
  const links = source.matchAll(/\blinkTo\(\s*'([^']+)'/g)
  return [
    ...[...calls].map(([, method = '', path = '']) => `${method} ${path}`),
    ...[...links].map(([, path = '']) => `GET ${path}`),
  ]
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
