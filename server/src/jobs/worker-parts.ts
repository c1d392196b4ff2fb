import type { ProvisioningDeps } from '#control/provisioning/change-provisioned.ts'
import type { Log } from '#lib/log.ts'
import type { Grants, Reconciliation } from '#ports/ledger.ts'
import type { Retention, UsageRollup } from '#ports/usage.ts'
import { type BillingJobDeps, invoicePart } from './billing/invoice-part.ts'
import { type AlertJobDeps, alertPart } from './alerts/tell-alerts.ts'
import { type AnnouncementJobDeps, announcementPart } from './catalogue/announcement-part.ts'
import { type CatalogueSyncDeps, catalogueParts } from './catalogue/catalogue-parts.ts'
import { type IndexJobDeps, indexPart } from './build-indexes.ts'
import { dropExpired, type RetentionTerms } from './drop-expired.ts'
import { expireGrants } from './expire-grants.ts'
import { eventParts, type SendEventsDeps } from './events/send-events.ts'
import { type MailJobDeps, mailPart } from './mail/send-mails.ts'
import type { Part } from './part.ts'
import { placementPart } from './place-members.ts'
import { type PaymentJobDeps, paymentParts } from './payments/payment-parts.ts'
import { type CertificateJobDeps, certificatePart } from './sign-on/tell-certificates.ts'
import { runVideoJobs, type VideoRunnerDeps } from './video/run-video-jobs.ts'
import { runWebhooks, type WebhookRunnerDeps } from './webhooks/run-webhooks.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const purgeEveryMs = 600_000
const partitionsAheadDays = 7

export interface WorkerDeps {
  readonly ensurePartitions: (aheadDays: number) => Promise<number>
  readonly sweepHolds: (atMost: number) => Promise<number>
  readonly grants: Grants
  readonly rollup: UsageRollup & Closable
  readonly reconciliation: Reconciliation & Closable
  /** Called with the result of each reconciliation. */
  readonly onReconciled?: (agree: boolean) => void
  readonly retention: Retention
  readonly purges: readonly Purge[]
  readonly indexes: IndexJobDeps
  readonly followRouting: () => Promise<void>
  readonly videos: VideoRunnerDeps
  readonly webhooks: WebhookRunnerDeps
  readonly events: SendEventsDeps
  readonly catalogue: CatalogueSyncDeps
  readonly announcements: AnnouncementJobDeps
  readonly payments: PaymentJobDeps
  readonly billing: BillingJobDeps
  readonly mails: MailJobDeps
  readonly alerts: AlertJobDeps
  readonly provisioning: ProvisioningDeps
  readonly certificates: CertificateJobDeps
  readonly settings: WorkerSettings
  readonly nowMs: () => number
  readonly log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>
}

/** A resource with its own connection, which is closed after the last round. */
export interface Closable {
  close(): Promise<void>
}

/** Deletes expired data, in a separate part. */
export interface Purge {
  readonly name: `purge-${string}`
  /** For the log. */
  readonly what: string
  readonly purge: (atMost: number) => Promise<number>
}

export interface WorkerSettings {
  readonly sweepEveryMs: number
  readonly rollupEveryMs: number
  readonly rollupBatchMax: number
  readonly reconcileEveryMs: number
  readonly retention: RetentionTerms
  readonly routingEveryMs: number
  /** Poll interval for due videos and webhooks. */
  readonly lookEveryMs: number
}

/** Everything that a worker does, one row each. */
export function workerParts(deps: WorkerDeps): readonly Part[] {
  const { settings, log, retention } = deps
  const count = (what: string) => (count: number) => log.info({ count }, what)
  return [
    // This part comes first, because rows written on a day without a partition stay outside of one.
    { name: 'partitions', everyMs: hourMs, run: () => makePartitions(deps), isFirst: true },
    {
      name: 'sweep',
      everyMs: settings.sweepEveryMs,
      run: sweepInBatches(deps.sweepHolds, count('released lapsed holds')),
    },
    { name: 'grants', everyMs: minuteMs, run: expireGrants({ grants: deps.grants, nowMs: deps.nowMs, log }) },
    { name: 'rollup', everyMs: settings.rollupEveryMs, run: () => rollUp(deps), end: deps.rollup.close },
    {
      name: 'reconciliation',
      everyMs: settings.reconcileEveryMs,
      run: () => reconcile(deps.reconciliation, log, deps.onReconciled),
      end: deps.reconciliation.close,
    },
    {
      name: 'retention',
      everyMs: hourMs,
      run: (signal) => dropExpired({ retention, terms: settings.retention, log }, signal),
    },
    ...deps.purges.map(({ name, what, purge }) => ({
      name,
      everyMs: purgeEveryMs,
      run: sweepInBatches(purge, count(`deleted ${what}`)),
    })),
    indexPart(deps.indexes, log),
    { name: 'routing', everyMs: settings.routingEveryMs, run: deps.followRouting, isFirst: true },
    { name: 'videos', everyMs: settings.lookEveryMs, ...runVideoJobs(deps.videos) },
    { name: 'webhooks', everyMs: settings.lookEveryMs, ...runWebhooks(deps.webhooks) },
    ...eventParts(deps.events),
    ...catalogueParts(deps.catalogue),
    announcementPart(deps.announcements),
    ...paymentParts(deps.payments),
    invoicePart(deps.billing),
    alertPart(deps.alerts),
    placementPart(deps.provisioning),
    certificatePart(deps.certificates),
    mailPart(deps.mails),
  ]
}

async function makePartitions({ ensurePartitions, log }: WorkerDeps): Promise<void> {
  const made = await ensurePartitions(partitionsAheadDays)
  if (made > 0) log.info({ made }, 'created partitions')
}

async function rollUp({ rollup, settings, log }: WorkerDeps): Promise<boolean> {
  const { rolledUp, isFull } = await rollup.rollUp(settings.rollupBatchMax)
  if (rolledUp > 0) log.debug({ count: rolledUp }, 'rolled up settled requests')
  return isFull
}

const batchMax = 500

/**
 * Deletes expired data. Any number of workers can run it concurrently. A large backlog is processed in batches, each in
 * its own transaction, so that no lock is held for long.
 */
export function sweepInBatches(
  sweep: (atMost: number) => Promise<number>,
  onSwept: (count: number) => void,
): Part['run'] {
  return async () => {
    const swept = await sweep(batchMax)
    if (swept > 0) onSwept(swept)
    return swept >= batchMax
  }
}

/** Compares the ledger with itself and reports whether it is consistent. */
export async function reconcile(
  reconciliation: Reconciliation,
  log: Pick<Log, 'info' | 'error'>,
  onReconciled: (agree: boolean) => void = () => {},
): Promise<void> {
  const reconciled = await reconciliation.reconcile()
  if (reconciled === null) return
  const { wallets, pending, discrepancies } = reconciled
  const [first] = discrepancies
  onReconciled(first === undefined)
  if (first === undefined) log.info({ wallets, pending }, 'ledger reconciliation passed')
  else log.error({ wallets, pending, found: discrepancies.length, first }, 'ledger reconciliation found discrepancies')
}
