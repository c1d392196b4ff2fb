import { Type } from 'typebox'
import { type Backtest, backtest, backtestRequestsMax, parseControls } from '#control/backtest/backtest.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import { type LayerKind, layerKinds, type LayerOwner } from '#domain/access/layer-owner.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { FairTurnstile } from '#lib/fair-turnstile.ts'
import type { JsonObject } from '#lib/json.ts'
import type { PastRequests } from '#ports/backtest.ts'
import type { Spenders } from '#ports/organizations.ts'
import type { MemberPerson, UsageSubjects } from '#ports/usage.ts'
import type { Uuid } from '#lib/uuid.ts'
import { type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { usd } from '../schema-types.ts'

export interface BacktestDeps {
  readonly requests: PastRequests
  readonly spenders: Pick<Spenders, 'findWallet'>
  readonly subjects: Pick<UsageSubjects, 'readPeople'>
}

/** What proposed controls of an organization, a team or a member would have refused. */
export function backtestEndpoints(deps: BacktestDeps): Endpoint[] {
  // A replay reads up to 100,000 requests, so each organization runs one at a time.
  const turns = new FairTurnstile({
    atOnceMax: 2,
    atOnceMaxEach: 1,
    waitingMax: 32,
    waitingMaxEach: 4,
    weightMax: 0,
    weightMaxEach: 0,
    refusal: () =>
      new GatewayError('overloaded', {
        message: 'Too many backtests are running. Retry in a few seconds.',
        retryAfterS: 5,
      }),
  })
  return layerKinds.map((kind) => ({
    ...places[kind],
    method: 'POST',
    tag: 'Organizations',
    description: `Replays the last 30 days, at most ${backtestRequestsMax.toLocaleString('en')} requests, and changes nothing.`,
    body: controlsSchema,
    reply: { status: 200, description: 'The requests that the controls would have refused.', schema: backtestSchema },
    errors: ['malformedRequest', 'overloaded'],
    handle: async (request) => {
      const owner = ownerOf(kind, request)
      const controls = parseControls(request.body, kind)
      const run = () => backtest(deps, { owner, controls }, request.nowMs)
      const result = await turns.run({ account: owner.organizationId }, run)
      return { status: 200, body: { data: render(result, await namePeople(deps, owner, result)) } }
    },
  }))
}

const places = {
  organization: {
    name: 'backtestOrganization',
    paths: ['/api/orgs/:orgId/backtest'],
    summary: 'Backtest controls for an organization',
    access: 'backtest.organization',
  },
  team: {
    name: 'backtestTeam',
    paths: ['/api/orgs/:orgId/teams/:teamId/backtest'],
    summary: 'Backtest controls for a team',
    access: 'backtest.team',
  },
  member: {
    name: 'backtestMember',
    paths: ['/api/orgs/:orgId/members/:memberId/backtest'],
    summary: 'Backtest controls for a member',
    access: 'backtest.team',
  },
} as const satisfies Record<LayerKind, { name: string; paths: string[]; summary: string; access: AccessAction }>

function ownerOf(kind: LayerKind, request: EndpointRequest): LayerOwner {
  const { organizationId, team, member } = organizationOf(request)
  const id = { organization: organizationId, team: team?.id, member: member?.id }[kind]
  assert(id !== undefined, 'a path with a team or member has opened it')
  return { kind, id, organizationId }
}

const peopleMax = 10

async function namePeople({ spenders, subjects }: BacktestDeps, { organizationId }: LayerOwner, { people }: Backtest) {
  const memberIds = people.slice(0, peopleMax).flatMap(({ memberId }) => memberId ?? [])
  const walletId = memberIds.length === 0 ? null : await spenders.findWallet(organizationId)
  return walletId === null ? new Map<Uuid, MemberPerson>() : subjects.readPeople({ walletId, memberIds })
}

function render(result: Backtest, names: ReadonlyMap<Uuid, MemberPerson>): JsonObject {
  const { worstMinute, firstRefusedAtMs, byControl, people } = result
  const count = (name: Parameters<typeof byControl.get>[0]) => byControl.get(name) ?? 0
  return {
    from: timeText(result.fromMs),
    to: timeText(result.toMs),
    requests: result.requests,
    refused: result.refused,
    refusedSpend: usdJson(result.refusedSpend),
    firstRefusedAt: firstRefusedAtMs === null ? null : timeText(firstRefusedAtMs),
    worstMinute: worstMinute === null ? null : { at: timeText(worstMinute.atMs), refused: worstMinute.refused },
    refusedBy: {
      allowedModels: count('allowed_models'),
      weeklyBudget: count('weekly_budget'),
      monthlyBudget: count('monthly_budget'),
      minuteBreaker: count('minute_breaker'),
      hourBreaker: count('hour_breaker'),
    },
    peopleCount: people.length,
    people: people.slice(0, peopleMax).map(({ memberId, refused, spend }) => ({
      memberId,
      name: memberId === null ? null : (names.get(memberId)?.name ?? null),
      refused,
      spend: usdJson(spend),
    })),
    examples: result.examples.map(({ id, startedAtMs, model, cost, memberId, refusedBy }) => ({
      id: publicGenerationId(id),
      at: timeText(startedAtMs),
      model,
      spend: usdJson(cost),
      memberId,
      refusedBy,
    })),
  }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

const amount = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }))

const controlsSchema = Type.Object({
  weeklyBudget: amount('Weekly budget in USD. Only for an organization.'),
  monthlyBudget: amount('Monthly budget in USD.'),
  cbMinuteUsd: amount('Spend breaker limit for a UTC clock minute, in USD.'),
  cbHourlyUsd: amount('Spend breaker limit for a UTC clock hour, in USD.'),
  allowedModels: Type.Optional(Type.Array(Type.String(), { description: 'Allowed models. Empty allows every model.' })),
})

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const nullable = <Schema extends ReturnType<typeof Type.Object> | typeof moment>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const memberId = Type.Union([Type.String(), Type.Null()], { description: 'Null for keys without a member.' })

const backtestSchema = Type.Object({
  data: Type.Object(
    {
      from: moment,
      to: moment,
      requests: Type.Integer({ description: 'Requests in the period.' }),
      refused: Type.Integer({ description: 'Requests that would have been refused.' }),
      refusedSpend: usd('Cost of the refused requests'),
      firstRefusedAt: nullable(moment),
      worstMinute: nullable(Type.Object({ at: moment, refused: Type.Integer() })),
      refusedBy: Type.Object({
        allowedModels: Type.Integer(),
        weeklyBudget: Type.Integer(),
        monthlyBudget: Type.Integer(),
        minuteBreaker: Type.Integer(),
        hourBreaker: Type.Integer(),
      }),
      peopleCount: Type.Integer({ description: 'Members whose requests would have been refused.' }),
      people: Type.Array(
        Type.Object({
          memberId,
          name: Type.Union([Type.String(), Type.Null()]),
          refused: Type.Integer(),
          spend: usd('Cost of the refused requests'),
        }),
        { description: 'Up to ten members with the most refused requests.' },
      ),
      examples: Type.Array(
        Type.Object({
          id: Type.String(),
          at: moment,
          model: Type.String(),
          spend: usd('Cost of the request'),
          memberId,
          refusedBy: Type.String(),
        }),
        { description: 'Up to 20 refused requests, newest first.' },
      ),
    },
    { $id: 'Backtest' },
  ),
})
