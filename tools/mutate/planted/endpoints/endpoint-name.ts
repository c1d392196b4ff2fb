import type { ChangeableEndpoint, ChangeName } from './change-endpoint.ts'

/** The name that tests use, such as `GET /v1/keys/{id}`, with the path that the change is about. */
export function endpointName(
  kind: ChangeName,
  { method, paths }: Pick<ChangeableEndpoint, 'method' | 'paths'>,
): string {
  const path = paths[kind === 'alias changed' ? 1 : 0] ?? ''
  return `${kind === 'HEAD flipped' ? 'HEAD' : method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
}
