import type { Config } from '#config/config-schema.ts'
import type { WalletWatch } from '#control/wallets/wallet-watch.ts'
import { findByAddress } from '#control/organizations/add-member.ts'
import { createFindServed } from '#domain/routing/served-models.ts'
import { accountEndpoints } from '#http/account/account-endpoints.ts'
import { backtestEndpoints } from '#http/backtest/backtest-endpoints.ts'
import { allowedModelsEndpoints } from '#http/allowed-models/allowed-models-endpoints.ts'
import { auditEndpoints } from '#http/audit/audit-endpoints.ts'
import { organizationBreakerEndpoints } from '#http/breakers/organization-breaker-endpoints.ts'
import { personalBreakerEndpoints } from '#http/breakers/personal-breaker-endpoints.ts'
import { runEndpoints } from '#http/runs/run-endpoints.ts'
import { customerSettingsEndpoints } from '#http/end-customers/customer-settings-endpoints.ts'
import { customerStatementEndpoint } from '#http/end-customers/customer-statement-endpoint.ts'
import { customerTokenEndpoints } from '#http/end-customers/customer-token-endpoints.ts'
import { endCustomerEndpoints } from '#http/end-customers/end-customer-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { filterEndpoints } from '#http/filters/filter-endpoints.ts'
import { generationListEndpoint } from '#http/generations/generation-list-endpoint.ts'
import { refusalCountEndpoint } from '#http/generations/refusal-count-endpoint.ts'
import { imageModelsEndpoint } from '#http/images/image-models-endpoint.ts'
import { chatEndpoint } from '#http/inference/chat-endpoint.ts'
import { countTokensEndpoint } from '#http/inference/count-tokens-endpoint.ts'
import { completionsEndpoint } from '#http/inference/completions-endpoint.ts'
import { embeddingsEndpoint } from '#http/inference/embeddings-endpoint.ts'
import { fimEndpoint } from '#http/inference/fim-endpoint.ts'
import { imagesEndpoints } from '#http/inference/images-endpoints.ts'
import type { InferenceEndpoint } from '#http/inference/inference-endpoint.ts'
import { messagesEndpoint } from '#http/inference/messages-endpoint.ts'
import { realtimeEndpoint } from '#http/realtime/realtime-endpoint.ts'
import { rerankEndpoint } from '#http/inference/rerank-endpoint.ts'
import { responsesEndpoint } from '#http/inference/responses-endpoint.ts'
import { speechEndpoint } from '#http/inference/speech-endpoint.ts'
import { transcriptionsEndpoint } from '#http/inference/transcriptions-endpoint.ts'
import { translationsEndpoint } from '#http/inference/translations-endpoint.ts'
import { keyEndpoints } from '#http/keys/key-endpoints.ts'
import { keyLimitEndpoints } from '#http/keys/key-limit-endpoints.ts'
import { organizationKeyEndpoints } from '#http/keys/organization-key-endpoints.ts'
import { playgroundKeyEndpoint } from '#http/keys/playground-key-endpoint.ts'
import { rotateKeyEndpoints } from '#http/keys/rotate-key-endpoints.ts'
import { modelEndpoints } from '#http/models/model-endpoints.ts'
import { ownDataEndpoints } from '#http/people/own-data-endpoints.ts'
import { moderationsEndpoint } from '#http/inference/moderations-endpoint.ts'
import { quoteEndpoint } from '#http/quotes/quote-endpoint.ts'
import { responseEndpoints } from '#http/responses/response-endpoints.ts'
import { reportEndpoints } from '#http/reports/report-endpoints.ts'
import { whatIfEndpoint } from '#http/usage/what-if-endpoint.ts'
import { submitVideoEndpoint } from '#http/videos/submit-video-endpoint.ts'
import { createQuote } from '#pipeline/quote.ts'
import type { Pipeline } from '#pipeline/create-pipeline.ts'
import type { MeasurementStore } from '#pipeline/route/measurement-store.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createAllowedModelsStore } from '#store/postgres/allowed-models/allowed-models-store.ts'
import { createAuditArchive } from '#store/postgres/audit/audit-log.ts'
import { createBreakerStore } from '#store/postgres/breakers/breaker-store.ts'
import { createPastRequests } from '#store/postgres/generations/past-requests.ts'
import { createGenerationLists } from '#store/postgres/generations/postgres-generation-lists.ts'
import { createRequestHistory } from '#store/postgres/generations/request-history.ts'
import { createKeyLimitReads } from '#store/postgres/keys/key-limits.sql.ts'
import { createServedKeyStore } from '#store/postgres/keys/postgres-key-store.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createSpenders } from '#store/postgres/organizations/spenders.ts'
import { createBilling } from '#store/postgres/billing/postgres-billing.ts'
import { createOwnData } from '#store/postgres/people/own-data.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createRefusalLists } from '#store/postgres/refusals/postgres-refusal-lists.ts'
import { createPostgresUsageSubjects } from '#store/postgres/usage/postgres-usage-subjects.ts'
import { creditsUrlOf } from '../payment-offer.ts'
import type { Admission } from './admission.ts'
import { wireConsoleEndpoints } from './console.ts'
import type { Filters } from './filters.ts'
import type { Institutions } from './institutions.ts'
import type { WiredMedia } from './media.ts'
import { wireOperatorEndpoints } from './operators.ts'
import type { Metrics } from './metrics.ts'
import { wireOrganizationEndpoints } from './organizations.ts'
import type { WiredOwnKeys } from './own-keys.ts'
import type { WiredSignOn } from './sign-on.ts'
import type { StoredResponseWays } from './stages.ts'
import type { Snapshots } from './snapshots.ts'
import type { WiredUsage } from './usage.ts'
import type { WiredVideos } from './videos.ts'
import { wireWallets } from './wallets.ts'

interface EndpointDeps {
  config: Config
  metrics: Metrics
  pools: PostgresPools
  snapshots: Snapshots
  admission: Admission
  filters: Filters
  institutions: Institutions
  measurements: Pick<MeasurementStore, 'find'>
  ownKeys: WiredOwnKeys
  signOn: WiredSignOn
  media: WiredMedia
  videos: WiredVideos
  usage: WiredUsage
  walletWatch: WalletWatch
  quoting: Pipeline['quoting']
  stored: StoredResponseWays
  nowMs: () => number
}

export const inferenceEndpoints: readonly InferenceEndpoint[] = [
  chatEndpoint,
  responsesEndpoint,
  messagesEndpoint,
  completionsEndpoint,
  fimEndpoint,
  embeddingsEndpoint,
  rerankEndpoint,
  moderationsEndpoint,
  ...imagesEndpoints,
  speechEndpoint,
  transcriptionsEndpoint,
  translationsEndpoint,
  submitVideoEndpoint,
]

/** All endpoints besides inference, by family. */
export function wireEndpoints(deps: EndpointDeps): Endpoint[] {
  const { config, pools, snapshots, admission, filters, ownKeys, media, videos, usage, nowMs } = deps
  const { users } = createPostgresOperators(pools.general)
  const keyDeps = {
    keys: createServedKeyStore(pools.general),
    memberships: createMemberships(pools.general),
    announce: admission.announce,
  }
  return [
    ...modelEndpoints({
      catalogue: snapshots.catalogue,
      freeModels: snapshots.freeModels,
      routing: snapshots.routing,
      ownKeys: snapshots.ownKeys,
      findServed: createFindServed(canServe),
      testModels: config.testModels.enabled,
      measured: deps.measurements.find,
    }),
    countTokensEndpoint,
    realtimeEndpoint,
    ...wireBesideInference(deps),
    imageModelsEndpoint(snapshots.catalogue, config.testModels.enabled),
    ...media.endpoints,
    ...videos.endpoints,
    ...wireAccount(config, pools),
    ...endCustomerEndpoints({ ...keyDeps, endCustomers: admission.endCustomers.store }),
    ...runEndpoints({ ...keyDeps, runs: admission.runs.store }),
    customerStatementEndpoint({ ...keyDeps, endCustomers: admission.endCustomers.store }),
    ...customerSettingsEndpoints({ ...keyDeps, endCustomers: admission.endCustomers.store }),
    ...customerTokenEndpoints({ ...keyDeps, tokens: admission.endCustomers.tokens }),
    ...wireWallets({ ...deps, memberships: keyDeps.memberships }),
    ...usage.endpoints,
    whatIfEndpoint({ usage: usage.reads, memberships: keyDeps.memberships, catalogue: snapshots.catalogue }),
    ...personalBreakerEndpoints({ users, announce: admission.announce }),
    ...ownDataEndpoints({
      ownData: createOwnData(pools.general),
      keys: keyDeps.keys,
      lists: createGenerationLists(pools.general),
      refusals: createRefusalLists(pools.general),
      archive: createAuditArchive(pools.general),
      ...createBilling(pools.general),
      announce: admission.announce,
    }),
    ...keyEndpoints(keyDeps),
    ...organizationKeyEndpoints(keyDeps),
    playgroundKeyEndpoint(keyDeps),
    ...rotateKeyEndpoints(keyDeps),
    ...keyLimitEndpoints({ limits: createKeyLimitReads(pools.general), memberships: keyDeps.memberships }),
    ...allowedModelsEndpoints({
      store: createAllowedModelsStore(pools.general, nowMs),
      announce: admission.announce,
    }),
    ...organizationBreakerEndpoints({
      store: createBreakerStore(pools.general, nowMs),
      announce: admission.announce,
    }),
    ...filterEndpoints({ store: filters.store, engine: filters.engine, announce: admission.announce }),
    ...wireOrganizationEndpoints({ config, pools, admission, findUser: findByAddress(users), nowMs }),
    ...wireConsoleEndpoints({ config, pool: pools.general, announce: admission.announce, nowMs }),
    ...auditEndpoints({ archive: createAuditArchive(pools.general) }),
    ...wireReports(pools, usage),
    ...ownKeys.endpoints(snapshots),
    ...deps.institutions.endpoints,
    ...deps.signOn.endpoints,
    ...wireOperatorEndpoints({ config, pools, snapshots, announce: admission.announce, nowMs }),
  ]
}

/** Prices before requests, and the stored responses of earlier ones. */
function wireBesideInference(deps: EndpointDeps): Endpoint[] {
  return [wireQuotes(deps), ...responseEndpoints(deps.stored)]
}

function wireQuotes({ config, pools, snapshots, quoting, admission }: EndpointDeps): Endpoint {
  return quoteEndpoint({
    endpoints: inferenceEndpoints,
    catalogue: snapshots.catalogue,
    testModels: config.testModels.enabled,
    quote: createQuote({
      stages: quoting,
      customers: admission.endCustomers.store,
      runs: admission.runs.store,
      limits: createKeyLimitReads(pools.general),
      history: createRequestHistory(pools.general),
    }),
  })
}

/** Endpoints for a key to read its own data, its wallet and its requests. */
function wireAccount(config: Config, pools: PostgresPools): Endpoint[] {
  const memberships = createMemberships(pools.general)
  const subjects = createPostgresUsageSubjects(pools.general)
  const account = accountEndpoints({
    ...createPostgresAccount(pools.general),
    memberships,
    subjects,
    limits: config.limits,
    creditsUrl: creditsUrlOf(config),
  })
  const lists = createGenerationLists(pools.general)
  const refusals = createRefusalLists(pools.general)
  return [
    ...account,
    generationListEndpoint({ lists, refusals, memberships, subjects }),
    refusalCountEndpoint({ refusals, memberships }),
  ]
}

/** Monthly spend reports of organizations, and backtests of their limits. */
function wireReports(pools: PostgresPools, usage: WiredUsage): Endpoint[] {
  const spenders = createSpenders(pools.general)
  const subjects = createPostgresUsageSubjects(pools.general)
  return [
    ...reportEndpoints({ usage: usage.reads, spenders, subjects }),
    ...backtestEndpoints({ requests: createPastRequests(pools.sums), spenders, subjects }),
  ]
}
