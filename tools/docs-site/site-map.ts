/** One line of the sidebar: a title and the repository file that it shows. */
export type Entry = {
  readonly title: string
  /**
   * Relative to the repository, with a heading if it links to part of a page. Reference pages have no file: see
   * `route`.
   */
  readonly file?: string
  readonly route?: string
  readonly entries?: readonly Entry[]
}

/** The documentation, in the order in which a newcomer reads it. Every page must be listed here. */
export function siteMap(reference: readonly Entry[]): readonly Entry[] {
  return [
    {
      title: 'Start',
      entries: [
        { title: 'What it is, and how to try it', file: 'README.md' },
        { title: 'Your tool in five lines', file: 'docs/tools.md' },
        { title: 'Examples', file: 'examples/README.md' },
      ],
    },
    {
      title: 'Use',
      entries: [
        { title: 'Calling Weir', file: 'docs/api.md' },
        { title: 'Reference of the API', route: 'reference/index', entries: reference },
        { title: 'Errors', file: 'docs/errors.md' },
        { title: 'Models and prices', file: 'docs/api.md#models' },
        { title: 'Test models', file: 'docs/test-models.md' },
        { title: 'Spend limits', file: 'docs/scopes.md' },
        { title: 'Content filters', file: 'docs/content-filters.md' },
        { title: 'Single sign-on and provisioning', file: 'docs/single-sign-on.md' },
        { title: 'Institutions', file: 'docs/institutions.md' },
        { title: 'Who may do what', file: 'docs/access.md' },
      ],
    },
    {
      title: 'Run',
      entries: [
        { title: 'Deploying', file: 'docs/deploy.md' },
        { title: 'Production quickstart', file: 'docs/quickstart-production.md' },
        { title: 'Configuration', file: 'docs/configuration.md' },
        { title: 'Operating', file: 'docs/operating.md' },
        { title: 'Traces', file: 'docs/tracing.md' },
        { title: 'Postgres', file: 'docs/postgres.md' },
        { title: 'Upgrades', file: 'docs/upgrades.md' },
        { title: 'Runbooks', file: 'docs/runbooks/README.md', entries: runbooks },
        { title: 'Payments', file: 'docs/payments.md' },
        { title: 'Security', file: 'docs/security.md' },
        { title: 'Performance', file: 'docs/performance.md' },
        { title: 'Scale', file: 'docs/scale.md' },
        { title: 'Providers', file: 'docs/providers.md' },
        { title: 'Import a catalogue', file: 'docs/recipes/import-a-catalogue.md' },
        { title: 'Reports of weaknesses', file: 'SECURITY.md' },
        { title: 'What changed', file: 'CHANGELOG.md' },
      ],
    },
    {
      title: 'Understand',
      entries: [
        { title: 'Architecture', file: 'docs/ARCHITECTURE.md' },
        { title: 'Decisions', file: 'docs/decisions/README.md', entries: decisions },
        { title: 'The contract', file: 'docs/contract/clauses.tsv' },
        { title: 'The schema', file: 'server/sql/README.md' },
        { title: 'The console', file: 'console/README.md' },
        { title: 'Dependencies', file: 'docs/dependencies.md' },
        { title: 'Contributing', file: 'CONTRIBUTING.md', entries: contributing },
      ],
    },
  ]
}

const decisions: readonly Entry[] = [
  { title: 'Money', file: 'docs/decisions/money.md' },
  { title: 'Accounts', file: 'docs/decisions/accounts.md' },
  { title: 'Inference', file: 'docs/decisions/inference.md' },
  { title: 'Routing', file: 'docs/decisions/routing.md' },
  { title: 'Media', file: 'docs/decisions/media.md' },
  { title: 'Videos', file: 'docs/decisions/videos.md' },
  { title: 'Content', file: 'docs/decisions/content.md' },
  { title: 'Usage', file: 'docs/decisions/usage.md' },
  { title: 'Operation', file: 'docs/decisions/operation.md' },
  { title: 'Testing', file: 'docs/decisions/testing.md' },
]

const runbooks: readonly Entry[] = [
  { title: 'WeirDatabaseFilling', file: 'docs/runbooks/database-filling.md' },
  { title: 'WeirDiskFilling', file: 'docs/runbooks/disk-filling.md' },
  { title: 'WeirDebtGrowing', file: 'docs/runbooks/debt-growing.md' },
  { title: 'WeirWebhooksLagging', file: 'docs/runbooks/webhooks-lagging.md' },
  { title: 'WeirEventSinkLagging', file: 'docs/runbooks/event-sink-lagging.md' },
  { title: 'WeirRollupLagging', file: 'docs/runbooks/rollup-lagging.md' },
  { title: 'WeirPostgresPoolExhausted', file: 'docs/runbooks/postgres-pool-exhausted.md' },
  { title: 'WeirLedgerMismatch', file: 'docs/runbooks/ledger-mismatch.md' },
  { title: 'WeirAbsorbedCostHigh', file: 'docs/runbooks/absorbed-cost-high.md' },
  { title: 'WeirPasswordGuessing', file: 'docs/runbooks/password-guessing.md' },
  { title: 'WeirUnbilledDisconnects', file: 'docs/runbooks/unbilled-disconnects.md' },
  { title: 'WeirChargesStopped', file: 'docs/runbooks/charges-stopped.md' },
  { title: 'WeirCircuitOpen', file: 'docs/runbooks/circuit-open.md' },
  { title: 'WeirConnectionsRejected', file: 'docs/runbooks/connections-rejected.md' },
  { title: 'WeirEventLoopLag', file: 'docs/runbooks/event-loop-lag.md' },
  { title: 'WeirGatewayDown', file: 'docs/runbooks/gateway-down.md' },
  { title: 'WeirGatewayFault', file: 'docs/runbooks/gateway-fault.md' },
  { title: 'WeirInternalErrors', file: 'docs/runbooks/internal-errors.md' },
  { title: 'WeirWriteQueueBacklog', file: 'docs/runbooks/write-queue-backlog.md' },
  { title: 'WeirEmailDeliveryFailing', file: 'docs/runbooks/email-delivery-failing.md' },
  { title: 'WeirModerationFailing', file: 'docs/runbooks/moderation-failing.md' },
  { title: 'WeirPostgresUnavailable', file: 'docs/runbooks/postgres-unavailable.md' },
  { title: 'WeirProviderRejectsField', file: 'docs/runbooks/provider-rejects-field.md' },
  { title: 'WeirProviderErrorRateHigh', file: 'docs/runbooks/provider-error-rate-high.md' },
  { title: 'WeirProviderAuthFailed', file: 'docs/runbooks/provider-auth-failed.md' },
  { title: 'WeirRedisUnavailable', file: 'docs/runbooks/redis-unavailable.md' },
  { title: 'WeirSpoolBacklog', file: 'docs/runbooks/spool-backlog.md' },
  { title: 'WeirUndercharged', file: 'docs/runbooks/undercharged.md' },
  { title: 'WeirUnknownWords', file: 'docs/runbooks/unknown-words.md' },
  { title: 'WeirUsageImplausible', file: 'docs/runbooks/usage-implausible.md' },
  { title: 'WeirWorkerDown', file: 'docs/runbooks/worker-down.md' },
  { title: 'WeirWorkerTaskFailing', file: 'docs/runbooks/worker-task-failing.md' },
  { title: 'WeirWorkerTaskStale', file: 'docs/runbooks/worker-task-stale.md' },
]

const contributing: readonly Entry[] = [
  { title: 'Add a vendor', file: 'docs/recipes/add-a-vendor.md' },
  { title: 'Add a protocol', file: 'docs/recipes/add-a-protocol.md' },
  { title: 'Add a media vendor', file: 'docs/recipes/add-a-media-vendor.md' },
  { title: 'Add an endpoint', file: 'docs/recipes/add-an-endpoint.md' },
  { title: 'Add an inference endpoint', file: 'docs/recipes/add-an-inference-endpoint.md' },
  { title: 'Add an endpoint for other tasks', file: 'docs/recipes/add-a-media-endpoint.md' },
  { title: 'Add a console page', file: 'docs/recipes/add-a-console-page.md' },
  { title: 'Add a field to an API key', file: 'docs/recipes/add-a-field-to-a-key.md' },
  { title: 'Add a field to an organization', file: 'docs/recipes/add-a-field-to-an-organization.md' },
  { title: 'Add a spend limit', file: 'docs/recipes/add-a-spend-limit.md' },
  { title: 'Add a limit period', file: 'docs/recipes/add-a-limit-period.md' },
  { title: 'Add an error', file: 'docs/recipes/add-an-error.md' },
  { title: 'Releasing', file: 'docs/releasing.md' },
  { title: 'Code of conduct', file: 'CODE_OF_CONDUCT.md' },
]

/** All files that the map names, without headings. */
export function filesOf(entries: readonly Entry[]): string[] {
  const files = entries.flatMap(({ file, entries: below = [] }) => [
    ...(file === undefined ? [] : [file.replace(/#.*/, '')]),
    ...filesOf(below),
  ])
  return [...new Set(files)]
}
