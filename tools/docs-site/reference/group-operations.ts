import type { OpenApiDocument, Operation } from './openapi.ts'

/** An operation with its method, its path and its alternative paths. */
export interface Described extends Operation {
  readonly method: string
  readonly path: string
  readonly alsoAt: readonly string[]
}

/**
 * Operations by tag, in the document's order. An id that ends with a number is an alternative path of the operation
 * before it.
 */
export function groupOperations({ paths, tags }: OpenApiDocument): ReadonlyMap<string, readonly Described[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const others = Map.groupBy(all, ({ operationId }) => operationId.replace(/(?:\d+|Head)$/, ''))
  const described = all
    .filter(({ operationId }) => !/(?:\d|Head)$/.test(operationId))
    .map((operation) => ({
      ...operation,
      alsoAt: (others.get(operation.operationId) ?? [])
        .filter(({ operationId }) => operationId !== operation.operationId)
        .map(({ method, path }) => `${method} ${path}`),
    }))
  return new Map(tags.map(({ name }) => [name, described.filter((operation) => operation.tags.includes(name))]))
}
