import { posix } from 'node:path'

/** Files whose route does not follow from their path. */
const routes: Readonly<Record<string, string>> = {
  'README.md': 'index',
  'SECURITY.md': 'reporting',
  'docs/contract/clauses.tsv': 'contract',
  'server/sql/README.md': 'schema',
  'console/README.md': 'console',
}

/**
 * The route of a file of the repository, without a leading slash or an extension: `docs/ARCHITECTURE.md` has
 * `architecture`. Files that are not documents, such as programs, are shown under `source/`.
 */
export function routeOf(file: string): string {
  const known = routes[file]
  if (known !== undefined) return known
  const path = file.startsWith('docs/') ? file.slice('docs/'.length) : file
  const isPage = file.endsWith('.md') && /^(?:docs|examples)\/|^[^/]+$/.test(file)
  if (!isPage) return `source/${file.replaceAll('.', '-')}`
  const folder = posix.dirname(path)
  const name = posix.basename(path, '.md')
  const page = name === 'README' ? 'index' : name.toLowerCase().replaceAll('_', '-')
  return folder === '.' ? page : `${folder}/${page}`
}

/** The address of a route below the site's base: `/decisions/` for `decisions/index`. */
export function addressOf(route: string): string {
  return `/${route.replace(/(^|\/)index$/, '$1')}`
}
