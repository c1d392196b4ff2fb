import { overrideCommand } from '#domain/routing/override-command.ts'
import type { ReportRefusedField } from './learned-fields.ts'

interface ReportDeps {
  readonly metrics: {
    readonly refusedFields: { inc(labels: { provider: string; model: string; field: string }): void }
  }
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/**
 * Tells the operator that a provider changed its API, with the text of a rejection that quotes no client. Rejections of
 * an organization's own key are only logged, because they concern that organization.
 */
export function createReportRefusedField({ metrics, log }: ReportDeps): ReportRefusedField {
  return ({ account, upstreamModel, billing }, field, confirmation) => {
    const labels = { provider: account.vendor, model: upstreamModel, field }
    const event = { ...labels, account: account.name }
    if (confirmation.kind !== 'refused') {
      const message = 'An upstream rejected a field that the gateway added to one request; other requests keep it'
      log.info({ ...event, neutralRequest: confirmation.kind }, message)
      return
    }
    const message = 'An upstream rejects a field that the gateway adds; the gateway omits it for an hour'
    if (billing === 'own_key') return log.warn(event, message)
    metrics.refusedFields.inc(labels)
    const override = overrideCommand({ account: account.name, model: upstreamModel, option: 'leave-out', value: field })
    log.warn({ ...event, words: confirmation.words, override }, message)
  }
}
