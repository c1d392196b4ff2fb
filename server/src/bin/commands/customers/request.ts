import { findRequest, type FoundRequest } from '#control/generations/find-request.ts'
import { explainRefusal } from '#domain/ledger/explain-refusal.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import { tokenTotals } from '#domain/money/charge.ts'
import { formatUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { renderRequest } from '#http/operators/render-request.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createRequestLookup } from '#store/postgres/generations/trace-request.sql.ts'
import { createOperatedRequests } from '#store/postgres/operated-requests/postgres-operated-requests.ts'
import type { Command } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { withSession } from '../../command-line/session.ts'

export const requestCommands: readonly Command[] = [
  {
    words: 'request',
    summary: 'Show a request by its X-Request-Id or generation id: owner, attempts, provider messages and cost.',
    positionals: ['id'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const { generations } = createPostgresAccount(pool)
        const found = await findRequest(
          { lookup: createRequestLookup(pool), generations, requests: createOperatedRequests(pool) },
          input.argument(0),
        )
        return { lines: linesOf(found), data: renderRequest(found) }
      }),
  },
]

function linesOf(found: FoundRequest): string[] {
  const rows = [...whoRows(found), ...moneyRows(found)].filter(([, value]) => value !== null)
  return [
    ...rows.map(([title = '', value]) => `${title.padEnd(13)} ${value}`),
    '',
    ...attemptLines(found),
    ...transferLines(found),
  ]
}

type Line = readonly [title: string, value: string | null]

function whoRows({ id, trace }: FoundRequest): Line[] {
  const { user, organization, team, key, video } = trace
  return [
    ['request', publicRequestId(id)],
    ['generation', publicGenerationId(id)],
    ['received', new Date(uuidTimeMs(id)).toISOString()],
    ['state', video === null ? trace.state : `${trace.state}, video ${video.state}`],
    ['user', user && `${user.email ?? '(deleted)'} (${user.id})`],
    ['organization', organization && `${organization.name ?? '(deleted)'} (${organization.id})`],
    ['team', team && `${team.name ?? '(deleted)'} (${team.id})`],
    ['key', `${key.name ?? '(deleted)'} ${key.shown ?? ''} (${key.id})`],
    ['wallet', trace.walletId],
  ]
}

function moneyRows({ trace, generation }: FoundRequest): Line[] {
  if (trace.refusal !== null) return refusalRows(trace.refusal)
  if (generation === null) {
    const { hold } = trace
    return [
      ['held', hold && `${formatUsd(hold.amount)} USD, leased until ${new Date(hold.leaseUntilMs).toISOString()}`],
    ]
  }
  const { record } = generation
  const { prompt, completion } = tokenTotals(record.usage)
  const firstToken = record.firstTokenMs === null ? '' : `, first token after ${record.firstTokenMs} ms`
  const absorbed = record.absorbed ?? zeroUsd
  return [
    ['app', record.appName],
    ['model', record.model],
    ['provider', record.provider && `${record.provider} as ${record.upstreamModel ?? '?'}`],
    ['duration', `${record.durationMs} ms${firstToken}${record.cancelled ? ', cancelled' : ''}`],
    ['tokens', `${prompt} in, ${completion} out`],
    ['finish reason', record.finishReason],
    ['held', `${formatUsd(record.held)} USD`],
    ['cost', `${formatUsd(record.cost)} USD`],
    ['provider cost', record.providerCost === undefined ? null : `${formatUsd(record.providerCost)} USD`],
    ['absorbed', absorbed === zeroUsd ? null : `${formatUsd(absorbed)} USD`],
    ['refund', record.refundReason],
  ]
}

function refusalRows(refusal: NonNullable<FoundRequest['trace']['refusal']>): Line[] {
  const { reason, remedy } = explainRefusal(refusal)
  return [
    ['endpoint', refusal.endpoint],
    ['model', refusal.model],
    ['refused with', `${refusal.status} ${refusal.error}`],
    ['bound by', refusal.boundBy],
    ['reason', reason],
    ['what to do', remedy],
  ]
}

/** The ledger is the proof of what was charged: a second charge would be a second line. */
function transferLines({ transfers }: FoundRequest): string[] {
  const rows = transfers.map(({ kind, amount, balanceAfter, bookedAtMs }) => [
    kind,
    formatUsd(amount),
    balanceAfter === null ? '-' : formatUsd(balanceAfter),
    new Date(bookedAtMs).toISOString(),
  ])
  if (rows.length === 0) return ['', 'the ledger has no transaction of this request']
  return ['', ...formatTable(['TRANSACTION', 'USD', 'BALANCE AFTER', 'BOOKED'], rows)]
}

function attemptLines({ trace, generation }: FoundRequest): string[] {
  const attempts = generation?.record.attempts ?? trace.video?.attempts ?? []
  const titles = ['ACCOUNT', 'PROVIDER', 'MODEL', 'OUTCOME', 'STATUS', 'MS', 'ESTIMATED USD', 'MESSAGE']
  const rows = attempts.map(({ account, provider, model, outcome, status, durationMs, ownKey, said, estimatedUsd }) => [
    `${account ?? '-'}${ownKey === true ? ' (BYOK)' : ''}`,
    provider,
    model,
    outcome,
    String(status ?? '-'),
    String(durationMs),
    estimatedUsd ?? '-',
    said ?? '',
  ])
  return rows.length === 0 ? ['no provider was called'] : formatTable(titles, rows)
}
