import { overrideCommand } from '#domain/routing/override-command.ts'
import type { ReportRefusedField } from './refused-fields.ts'

export interface ReportDeps {
  readonly metrics: {
    readonly refusedFields: { inc(labels: { provider: string; model: string; field: string }): void }
  }
  readonly log: { warn(details: object, message: string): void }
}

/** Tells the operator that a provider has changed what it takes. An organization's own host is its own affair, and only logged. */
export function createReportRefusedField({ metrics, log }: ReportDeps): ReportRefusedField {
  return ({ account, upstreamModel, billing }, field, words) => {
    const labels = { provider: account.vendor, model: upstreamModel, field }
    const isOwnKey = billing === 'own_key'
    if (!isOwnKey) metrics.refusedFields.inc(labels)
    const override = overrideCommand({ account: account.name, model: upstreamModel, option: 'leave-out', value: field })
    log.warn(
      { ...labels, account: account.name, words, ...(isOwnKey ? {} : { override }) },
      'An upstream refuses a field that the gateway sent; it is left out for an hour',
    )
  }
}
