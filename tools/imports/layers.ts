/** Who may import whom: the one table of the server's folders. A folder may always import itself. */
export const layers = {
  lib: [],
  errors: ['lib'],
  config: ['lib'],
  domain: ['errors', 'lib'],
  ports: ['domain', 'lib'],
  dialects: ['domain', 'errors', 'lib'],
  providers: ['domain', 'errors', 'lib'],
  store: ['ports', 'domain', 'errors', 'lib'],
  net: ['ports', 'domain', 'errors', 'lib'],
  pipeline: ['ports', 'dialects', 'providers', 'domain', 'errors', 'lib'],
  control: ['ports', 'domain', 'errors', 'lib'],
  jobs: ['pipeline', 'control', 'dialects', 'ports', 'providers', 'domain', 'errors', 'lib'],
  // Routes show domain types and take ports as arguments, so they may name both.
  http: ['pipeline', 'control', 'dialects', 'ports', 'domain', 'errors', 'lib'],
  bin: 'everything',
} as const satisfies Record<string, readonly string[] | 'everything'>

export type Layer = keyof typeof layers

export function isLayer(name: string): name is Layer {
  return Object.hasOwn(layers, name)
}

export function mayImport(from: Layer, to: string): boolean {
  const allowed: readonly string[] | 'everything' = layers[from]
  return allowed === 'everything' || from === to || allowed.includes(to)
}
