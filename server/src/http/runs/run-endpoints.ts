import { createRun, parseNewRun, parseStop, readRun, type RunDeps, stopRun } from '#control/runs/change-runs.ts'
import { openRunsToChange, openRunsToRead } from '#control/runs/open-runs.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { cursorText, pageRequestOf, type PageRules } from '../page-query.ts'
import { flagOf, referenceOf, scopeQuestionOf, textOf } from '../request-values.ts'
import {
  newRunSchema,
  renderReceipt,
  renderRun,
  runListSchema,
  runQuerySchema,
  runSchema,
  runScopeSchema,
  runStopSchema,
} from './run-schema.ts'

interface RunEndpointDeps extends RunDeps {
  readonly memberships: Memberships
}

const path = '/v1/runs'
const reading = { tag: 'Account', access: 'runs.read', method: 'GET' } as const
const changing = { tag: 'Account', access: 'runs.manage', method: 'POST', query: runScopeSchema } as const
const pages: PageRules<'created'> = { sorts: { created: 'time' }, usual: '-created' }
const firstPage = { sort: 'created', descending: true, search: null, after: null, limit: 20 } as const

/** Creates, lists, reads and stops the runs of agents. */
export function runEndpoints(deps: RunEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), getEndpoint(deps), createEndpoint(deps), stopEndpoint(deps)]
}

function listEndpoint({ runs, memberships }: RunEndpointDeps): Endpoint {
  return {
    ...reading,
    name: 'listRuns',
    paths: [path],
    summary: 'List runs',
    query: runQuerySchema,
    reply: { status: 200, description: 'A page of runs, newest first.', schema: runListSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const { query } = request
      const page = pageRequestOf(query, pages) ?? firstPage
      const filter = { parent: textOf(query, 'parent'), rootsOnly: flagOf(query, 'roots') === true }
      const scope = await openRunsToRead(memberships, scopeQuestionOf(request))
      const { entries, next } = await runs.list(scope, page, filter)
      return { body: { data: entries.map(renderRun), next_cursor: cursorText(page, next) } }
    },
  }
}

function getEndpoint({ runs, memberships }: RunEndpointDeps): Endpoint {
  return {
    ...reading,
    name: 'getRun',
    paths: [`${path}/:runId`],
    summary: 'Get a run with its receipt',
    query: runScopeSchema,
    reply: { status: 200, description: 'The run, with the sums of its requests.', schema: runSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const scope = await openRunsToRead(memberships, scopeQuestionOf(request))
      const found = await readRun(runs, { ...scope, externalId: referenceOf(request, 'runId') })
      return { body: { data: renderReceipt(found) } }
    },
  }
}

function createEndpoint({ runs, memberships }: RunEndpointDeps): Endpoint {
  return {
    ...changing,
    name: 'createRun',
    paths: [path],
    summary: 'Create a run',
    description: 'An inference request that names an unknown run in `X-Weir-Run` also creates it.',
    body: newRunSchema,
    reply: { status: 201, description: 'The new run.', schema: runSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict', 'tooManyRuns', 'runStopped'],
    handle: async (request) => {
      const scope = await openRunsToChange(memberships, scopeQuestionOf(request))
      const client = clientOf(request)
      const keyId = client.kind === 'key' ? client.principal.keyId : null
      const made = await createRun({ runs }, { scope, run: parseNewRun(request.body), keyId })
      return { status: 201, body: { data: renderReceipt(made) } }
    },
  }
}

function stopEndpoint(deps: RunEndpointDeps): Endpoint {
  return {
    ...changing,
    name: 'stopRun',
    paths: [`${path}/:runId/stop`],
    summary: 'Stop a run and its child runs',
    description:
      'Ends the running requests, and rejects later ones with 402 `run_stopped`. A stopped run cannot be resumed.',
    body: runStopSchema,
    reply: { status: 200, description: 'The stopped run.', schema: runSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const scope = await openRunsToChange(deps.memberships, scopeQuestionOf(request))
      const which = { ...scope, externalId: referenceOf(request, 'runId') }
      const stopped = await stopRun(deps, { which, stop: parseStop(request.body) }, changeAuthorOf(request))
      return { body: { data: renderReceipt(stopped) } }
    },
  }
}
