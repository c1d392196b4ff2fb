/** Files that are mutated together, and the minimum share of each file's mutants that tests must notice. */
export interface Area {
  readonly name: string
  readonly goal: number
  /** Prefixes of the source paths, relative to the repository's root. */
  readonly sources: readonly string[]
  /** Prefixes of the tests that need no engine. They run first. */
  readonly rules: readonly string[]
  /** Prefixes of the tests that call a whole gateway. They run for mutants that survived so far. */
  readonly calls: readonly string[]
}

const domain = 'server/src/domain/'
const control = 'server/src/control/'
const pipeline = 'server/src/pipeline/'
const test = 'server/test/'
const inDomain = (...names: string[]) => names.map((name) => `${domain}${name}/`)
const inTest = (...names: string[]) => names.map((name) => `${test}${name}/`)

const dialects = [
  'chat',
  'completions',
  'embeddings',
  'images',
  'messages',
  'moderations',
  'rerank',
  'responses',
  'speech',
  'transcriptions',
  'translations',
  'videos',
]
/** Name prefixes of the dialect files that read client input. */
const parsing = ['parse', 'check', 'read', 'client-tools']

export const areas: readonly Area[] = [
  {
    name: 'money',
    goal: 0.95,
    sources: inDomain('accounting', 'money', 'ledger', 'payments', 'billing', 'usage'),
    rules: [
      ...inDomain('accounting', 'money', 'ledger', 'payments', 'billing', 'usage'),
      `${pipeline}hold`,
      `${pipeline}settle/`,
    ],
    calls: inTest('money', 'account', 'payments', 'usage'),
  },
  {
    name: 'limits',
    goal: 0.95,
    sources: inDomain('limits', 'end-customers', 'tags', 'runs'),
    rules: [
      ...inDomain('limits', 'end-customers', 'tags', 'runs'),
      `${pipeline}hold/`,
      `${pipeline}admit/`,
      `${pipeline}attribute/`,
    ],
    calls: inTest('limits', 'end-customers', 'runs'),
  },
  {
    name: 'access',
    goal: 0.95,
    sources: inDomain('access'),
    rules: [...inDomain('access'), `${pipeline}authenticate/`],
    calls: inTest('edge', 'keys', 'oracle'),
  },
  {
    name: 'pipeline',
    goal: 0.85,
    sources: [pipeline],
    rules: [pipeline, 'server/src/dialects/'],
    calls: [
      ...inTest('streams', 'chat', 'money', 'dialects', 'routing', 'limits', 'oracle'),
      ...inTest('end-customers', 'runs', 'retries', 'cache', 'responses'),
    ],
  },
  {
    name: 'parsers',
    goal: 0.85,
    sources: dialects.flatMap((name) => parsing.map((start) => `server/src/dialects/${name}/${start}`)),
    rules: ['server/src/dialects/', `${pipeline}parse/`],
    calls: inTest('chat', 'dialects', 'media', 'videos'),
  },
  {
    name: 'errors',
    goal: 0.85,
    sources: ['server/src/errors/', 'server/src/config/'],
    rules: ['server/src/errors/', 'server/src/config/', 'server/src/http/'],
    calls: inTest('oracle', 'edge'),
  },
  {
    name: 'routing',
    goal: 0.85,
    sources: inDomain('routing', 'catalogue'),
    rules: [...inDomain('routing', 'catalogue'), `${pipeline}route/`, `${pipeline}dispatch/`, `${control}catalogue/`],
    calls: inTest('routing', 'auto', 'models'),
  },
  {
    name: 'inference',
    goal: 0.85,
    sources: [...inDomain('inference', 'test-models', 'tracing', 'egress'), 'server/src/providers/features/'],
    rules: [
      ...inDomain('inference', 'test-models', 'tracing', 'egress'),
      'server/src/providers/',
      'server/src/dialects/',
      `${pipeline}dispatch/`,
      `${pipeline}settle/`,
    ],
    calls: inTest('chat', 'dialects', 'streams', 'tracing', 'egress'),
  },
  {
    name: 'media',
    goal: 0.85,
    sources: inDomain('media', 'video', 'cache', 'responses'),
    rules: [
      ...inDomain('media', 'video', 'cache', 'responses', 'test-models'),
      'server/src/jobs/video/',
      'server/src/dialects/',
      pipeline,
    ],
    calls: inTest('cache', 'media', 'responses', 'videos'),
  },
  {
    name: 'batches',
    goal: 0.85,
    sources: inDomain('batches', 'files'),
    rules: [...inDomain('batches', 'files'), 'server/src/jobs/batches/'],
    calls: inTest('batches'),
  },
  {
    name: 'filters',
    goal: 0.85,
    sources: inDomain('filters', 'moderation'),
    rules: [...inDomain('filters', 'moderation'), `${pipeline}guard/`],
    calls: inTest('filters', 'moderation'),
  },
  {
    name: 'accounts',
    goal: 0.85,
    sources: inDomain(
      'organizations',
      'customers',
      'institutions',
      'sign-on',
      'provisioning',
      'alerts',
      'audit',
      'events',
      'mail',
      'notices',
    ),
    rules: [
      ...inDomain(
        'organizations',
        'customers',
        'institutions',
        'sign-on',
        'provisioning',
        'alerts',
        'audit',
        'events',
        'mail',
        'notices',
      ),
      control,
      'server/src/jobs/',
      'server/src/net/',
    ],
    calls: inTest(
      'organizations',
      'institutions',
      'sign-on',
      'provisioning',
      'audit',
      'account',
      'operating',
      'operators',
    ),
  },
  {
    name: 'control',
    goal: 0.85,
    sources: [control],
    rules: [control],
    calls: inTest(
      'account',
      'audit',
      'batches',
      'institutions',
      'keys',
      'lists',
      'models',
      'operators',
      'organizations',
      'payments',
      'sign-in',
      'usage',
      'wallets',
    ),
  },
  {
    name: 'jobs',
    goal: 0.85,
    sources: ['server/src/jobs/'],
    rules: ['server/src/jobs/'],
    calls: inTest('batches', 'payments', 'videos', 'operating', 'money'),
  },
  {
    name: 'console',
    goal: 0.85,
    // Only functions with their own tests; pages are tested in a browser.
    sources: ['console/src/'],
    rules: ['console/src/'],
    calls: [],
  },
]

/** Folders in which every source is mutated. */
export const mutatedFolders: readonly string[] = [
  domain,
  control,
  'server/src/jobs/',
  pipeline,
  'server/src/errors/',
  'console/src/',
]

export interface AreaSource {
  readonly path: string
  readonly area: Area
}

/** Selects the files that are mutated. */
export function sourcesOf(paths: readonly string[]): AreaSource[] {
  const all = new Set(paths)
  return paths.flatMap((path) => {
    if (leftOut.has(path) || !path.endsWith('.ts') || /\.(?:d|test)\.ts$/.test(path)) return []
    if (path.startsWith('console/') && !all.has(path.replace('.ts', '.test.ts'))) return []
    const area = areas.find(({ sources }) => sources.some((start) => path.startsWith(start)))
    return area === undefined ? [] : [{ path, area }]
  })
}

/** Files of areas that are not mutated, with the reason. A file with only types has no mutants and needs no row. */
export const leftOut: ReadonlyMap<string, string> = new Map([])
