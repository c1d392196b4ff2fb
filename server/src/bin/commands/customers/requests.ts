import { readWallet } from '#control/wallets/credit-wallet.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { requestOutcome, requestOutcomes } from '#domain/ledger/request-outcome.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { renderOperatedRequest } from '#http/operators/render-request-entry.ts'
import { isUuid, type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { OperatedRequest, OperatedRequestFilter, OperatedRequests } from '#ports/operated-requests.ts'
import { createOperatedRequests } from '#store/postgres/operated-requests/postgres-operated-requests.ts'
import { type Command, type CommandInput, UsageError } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { readListLimit, readMoment } from '../../command-line/read-values.ts'
import { withSession } from '../../command-line/session.ts'

export const requestListCommands: readonly Command[] = [
  {
    words: 'requests',
    summary: 'Search requests of all customers, newest first, also refused ones.',
    options: {
      customer: { type: 'string', value: '<ref>', description: 'Wallet id, owner id, email or organization slug.' },
      key: { type: 'string', value: '<key-id>', description: 'Only requests with this key.' },
      model: { type: 'string', value: '<model>', description: 'Only requests for this model.' },
      provider: { type: 'string', value: '<provider>', description: 'Only requests served by this provider.' },
      outcome: { type: 'string', value: '<outcome>', description: `One of ${requestOutcomes.join(', ')}.` },
      error: { type: 'string', value: '<name>', description: 'Name of an error, or reason for not being charged.' },
      from: { type: 'string', value: '<timestamp>', description: 'Start of the range, such as 2027-01-31T02:00Z.' },
      to: { type: 'string', value: '<timestamp>', description: 'End of the range, exclusive.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' },
    },
    async run(input) {
      const limit = readListLimit(input.text('limit'))
      return withSession(async ({ pool, wallets }) => {
        const requests = createOperatedRequests(pool)
        const filter = await filterOf(input, { wallets, requests })
        const { records, next } = await requests.list({ filter, before: null, limit, nowMs: Date.now() })
        const rows = formatTable(['RECEIVED', 'REQUEST', 'CUSTOMER', 'MODEL', 'OUTCOME', 'USD'], records.map(rowOf))
        const more = next === null ? [] : ['There are more: narrow the range with --from and --to.']
        return { lines: [...rows, ...more], data: records.map(renderOperatedRequest) }
      })
    },
  },
]

async function filterOf(
  input: CommandInput,
  { wallets, requests }: { readonly wallets: Wallets; readonly requests: OperatedRequests },
): Promise<OperatedRequestFilter> {
  const keyId = keyOf(input)
  const customer = input.text('customer')
  const ofKey = keyId === null ? null : await requests.findWallet(keyId)
  return {
    id: null,
    walletId: customer === undefined ? ofKey : (await readWallet(wallets, customer)).id,
    keyId,
    model: input.text('model') ?? null,
    provider: input.text('provider') ?? null,
    outcome: outcomeOf(input),
    error: input.text('error') ?? null,
    fromMs: readMoment(input.text('from')),
    toMs: readMoment(input.text('to')),
  }
}

function keyOf(input: CommandInput): Uuid | null {
  const text = input.text('key') ?? null
  if (text !== null && !isUuid(text)) throw new UsageError('--key must be a key id.')
  return text
}

function outcomeOf(input: CommandInput): OperatedRequestFilter['outcome'] {
  const text = input.text('outcome')
  const outcome = requestOutcomes.find((known) => known === text)
  if (text !== undefined && outcome === undefined) {
    throw new UsageError(`--outcome must be one of ${requestOutcomes.join(', ')}.`)
  }
  return outcome ?? null
}

function rowOf(request: OperatedRequest): string[] {
  const { id, customer, model, cost, error } = request
  const outcome = requestOutcome(request)
  return [
    new Date(uuidTimeMs(id)).toISOString(),
    publicGenerationId(id),
    customer?.name ?? '(deleted)',
    model ?? '-',
    error === null ? outcome : `${outcome}: ${error}`,
    formatUsd(cost),
  ]
}
