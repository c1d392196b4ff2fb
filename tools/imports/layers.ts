/** A tree of folders with its own layers. A file belongs to the first tree whose root its path begins with. */
export type Tree = {
  readonly root: string
  /**
   * The folders and paths that each folder below the root may import, itself always included: folders of the same tree,
   * and paths from the repository's root, which end with a slash. `everything` means the whole tree. The row `''` is
   * for files next to the folders.
   */
  readonly layers: Readonly<Record<string, readonly string[] | 'everything'>>
}

/** Which folders of the server each folder may import. */
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
} as const satisfies Tree['layers']

/** Which folders of the console each folder may import. */
export const consoleLayers = {
  lib: [],
  api: ['lib'],
  ui: ['api', 'lib'],
  app: ['ui', 'api', 'lib'],
  pages: ['app', 'ui', 'api', 'lib'],
  // The router imports every page, and the entry point renders it.
  '': 'everything',
} as const satisfies Tree['layers']

/** Which tools each tool may import. */
export const toolLayers = {
  lib: [],
  'api-types': ['lib', 'server/src/'],
  build: ['lib', 'server/src/', 'server/test/'],
  check: ['imports', 'tidy', 'lib'],
  ci: ['docs-site', 'lib', 'server/test/'],
  console: ['lib', 'server/src/'],
  contract: ['lib'],
  deploy: ['lib'],
  docs: ['lib', 'server/src/', 'server/test/'],
  // The reference shows the same snippets as the console.
  'docs-site': ['api-types', 'lib', 'console/src/lib/'],
  drift: ['lib', 'server/src/', 'server/test/'],
  imports: ['lib'],
  mutate: ['contract', 'test', 'lib', 'server/src/', 'server/test/'],
  package: ['deploy', 'lib', 'server/src/'],
  project: ['lib'],
  recipes: ['lib', 'server/test/'],
  schema: ['lib', 'server/test/'],
  starter: ['docs', 'lib', 'server/src/', 'server/test/'],
  test: ['lib'],
  tidy: ['mutate', 'lib'],
} as const satisfies Tree['layers']

export const trees: readonly Tree[] = [
  { root: 'server/src/', layers },
  { root: 'server/', layers: { test: ['server/src/', 'tools/lib/'], '': [] } },
  { root: 'console/src/', layers: consoleLayers },
  { root: 'console/', layers: { test: ['server/src/', 'server/test/', 'tools/lib/'], '': ['tools/lib/'] } },
  { root: 'tools/', layers: toolLayers },
]

/** The tree of a path and the first folder below its root, or `''` for a file beside the folders. */
export function placeOf(path: string): { readonly tree: Tree; readonly folder: string } | undefined {
  const tree = trees.find(({ root }) => path.startsWith(root))
  if (tree === undefined) return undefined
  const names = path.slice(tree.root.length).split('/')
  return { tree, folder: names.length > 1 ? (names[0] ?? '') : '' }
}

/** Whether a folder's row allows the import of a file. */
export function mayImport(tree: Tree, folder: string, target: string): boolean {
  const allowed = tree.layers[folder] ?? []
  const place = placeOf(target)
  if (place?.tree === tree && (allowed === 'everything' || place.folder === folder)) return true
  return (
    allowed !== 'everything' &&
    allowed.some((name) => (name.endsWith('/') ? target.startsWith(name) : target.startsWith(`${tree.root}${name}/`)))
  )
}
