/** What is mutated together, and the least share of its mutants that the tests must notice. */
export interface Area {
  readonly name: string
  readonly goal: number
  /** Paths below the repository's root begin with one of these. */
  readonly sources: readonly string[]
  /** Tests that need no engine, by how their paths begin. They come first. */
  readonly rules: readonly string[]
  /** Tests through a whole gateway: for what is still alive then. */
  readonly calls: readonly string[]
}

const domain = 'server/src/domain/'
const test = 'server/test/'

const dialects = ['chat', 'embeddings', 'images', 'messages', 'responses', 'speech', 'transcriptions', 'videos']
/** How the files of a dialect are named that read what a client sent. */
const parsing = ['parse', 'check', 'read']

export const areas: readonly Area[] = [
  {
    name: 'money',
    goal: 0.92,
    sources: [`${domain}money/`, `${domain}ledger/`, `${domain}payments/`],
    rules: [
      `${domain}money/`,
      `${domain}ledger/`,
      `${domain}payments/`,
      `${domain}billing/`,
      `${domain}usage/`,
      'server/src/pipeline/hold',
      'server/src/pipeline/settle/',
    ],
    calls: [`${test}money/`, `${test}account/`, `${test}payments/`],
  },
  {
    name: 'limits',
    goal: 0.92,
    sources: [`${domain}limits/`],
    rules: [`${domain}limits/`, 'server/src/pipeline/hold'],
    calls: [`${test}limits/`],
  },
  {
    name: 'access',
    goal: 0.92,
    sources: [`${domain}access/`],
    rules: [`${domain}access/`, 'server/src/pipeline/authenticate/'],
    calls: [`${test}edge/`, `${test}keys/`, `${test}oracle/`],
  },
  {
    name: 'pipeline',
    goal: 0.8,
    sources: ['server/src/pipeline/'],
    rules: ['server/src/pipeline/', 'server/src/dialects/'],
    calls: [
      `${test}streams/`,
      `${test}chat/`,
      `${test}money/`,
      `${test}dialects/`,
      `${test}routing/`,
      `${test}limits/`,
      `${test}oracle/`,
    ],
  },
  {
    name: 'parsers',
    goal: 0.8,
    sources: dialects.flatMap((name) => parsing.map((start) => `server/src/dialects/${name}/${start}`)),
    rules: ['server/src/dialects/', 'server/src/pipeline/parse/'],
    calls: [`${test}chat/`, `${test}dialects/`, `${test}media/`, `${test}videos/`],
  },
  {
    name: 'errors',
    goal: 0.8,
    sources: ['server/src/errors/', 'server/src/config/'],
    rules: ['server/src/errors/', 'server/src/config/', 'server/src/http/'],
    calls: [`${test}oracle/`, `${test}edge/`],
  },
  {
    name: 'routing',
    goal: 0.8,
    sources: [`${domain}routing/`],
    rules: [`${domain}routing/`, 'server/src/pipeline/route/'],
    calls: [`${test}routing/`, `${test}auto/`, `${test}models/`],
  },
]
