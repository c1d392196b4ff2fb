import { Type } from 'typebox'
import type { RunReceipt } from '#control/runs/change-runs.ts'
import { externalIdRule } from '#domain/end-customers/end-customer.ts'
import { nanoUsd, nullableUsdJson, usdJson, zeroUsd } from '#domain/money/nano-usd.ts'
import { runStatus, runStatuses } from '#domain/runs/run-status.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OwnRun } from '#ports/own-data.ts'
import type { RunModel, RunRecord } from '#ports/runs.ts'
import { nextCursor } from '../page-query.ts'
import { ofOrganization, optionalCount, optionalText, optionalUsd, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const runScopeSchema = Type.Object({ organization: ofOrganization })

export const runQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of runs per page, from 1 to 100. Defaults to 20.'),
  cursor: wanted('`next_cursor` of the previous page.'),
  q: wanted('Returns only runs whose id begins with this text.'),
  parent: wanted('Returns only the child runs of this run.'),
  roots: wanted('With `true`, returns only runs without a parent.'),
  sort: wanted('`created` or `-created`. Defaults to `-created`, the newest first.'),
})

export const newRunSchema = Type.Object({
  id: Type.String({ description: `Your own id of the run: ${externalIdRule}.` }),
  budget: Type.Optional(
    Type.Union([Type.Number(), Type.String(), Type.Null()], {
      description: 'Maximum spend of the run and its child runs, in USD. Null for no budget.',
    }),
  ),
  parent: Type.Optional(optionalText('ID of the parent run. Null for none.')),
  calls_per_minute: Type.Optional(
    optionalCount('Maximum number of requests in a minute (UTC). The first request beyond it stops the run.'),
  ),
  repeats: Type.Optional(
    optionalCount('Maximum number of times that the run sends the same prompt. One more stops the run.'),
  ),
})

export const runStopSchema = Type.Object({
  reason: Type.Optional(
    optionalText('Reason for the stop, up to 200 characters. Clients of the run get it in the error message.'),
  ),
})

const runFields = {
  id: Type.String({ description: 'Your own id of the run.' }),
  parent: optionalText('ID of the parent run.'),
  status: Type.Enum(runStatuses, {
    description: '`stopped`, `spent` while the budget is used up, or else `running`.',
  }),
  budget: optionalUsd('Maximum spend of the run and its child runs, or null for no budget'),
  calls_per_minute: optionalCount('Maximum number of requests in a minute, or null for no rule.'),
  repeats: optionalCount('Maximum number of times that the same prompt is sent, or null for no rule.'),
  spent: usd('Spend of the run and its child runs'),
  held: optionalUsd('Amount on hold for running requests, or null without a budget'),
  left: optionalUsd('Budget that is neither spent nor held, or null without a budget'),
  calls: Type.Integer({ description: 'Number of requests, child runs included.' }),
  children: Type.Integer({ description: 'Number of direct child runs.' }),
  stopped_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  stop_reason: optionalText('Reason for the stop.'),
  created_at: Type.String({ format: 'date-time' }),
}

const sums = { spent: usd('Spent'), calls: Type.Integer() }

const receipt = Type.Object(
  {
    models: Type.Array(
      Type.Object({
        model: Type.String(),
        ...sums,
        tokens_prompt: Type.Integer(),
        tokens_completion: Type.Integer(),
      }),
      { description: 'Spend by model, child runs included, the most expensive first.' },
    ),
    own: Type.Object(sums, { description: 'Requests of the run itself.' }),
    children: Type.Object(sums, { description: 'Requests of the child runs.' }),
    total: Type.Object(sums),
  },
  { description: 'The sum of the receipts of all requests.' },
)

export const runSchema = Type.Object({ data: Type.Object({ ...runFields, receipt }) })
export const runListSchema = Type.Object({ data: Type.Array(Type.Object(runFields)), next_cursor: nextCursor })

export function renderRun(run: RunRecord): JsonObject {
  const { budget, spent, held, calls, children, stoppedAtMs } = run
  const left = budget === null ? null : nanoUsd(budget - spent - (held ?? zeroUsd))
  return {
    ...renderOwnRun(run),
    status: runStatus({ budget, spent, held, isStopped: stoppedAtMs !== null }),
    spent: usdJson(spent),
    held: nullableUsdJson(held),
    left: nullableUsdJson(left),
    calls,
    children,
  }
}

/** A run without its sums, for the export of a person's data. */
export function renderOwnRun(run: OwnRun): JsonObject {
  const { externalId, parent, budget, rules, stoppedAtMs, stopReason, createdAtMs } = run
  return {
    id: externalId,
    parent,
    budget: nullableUsdJson(budget),
    calls_per_minute: rules.callsPerMinute,
    repeats: rules.repeats,
    stopped_at: stoppedAtMs === null ? null : new Date(stoppedAtMs).toISOString(),
    stop_reason: stopReason,
    created_at: new Date(createdAtMs).toISOString(),
  }
}

export function renderReceipt({ run, models }: RunReceipt): JsonObject {
  const { spent, calls, spentByChildren, callsOfChildren } = run
  return {
    ...renderRun(run),
    receipt: {
      models: models.map(renderModel),
      own: { spent: usdJson(nanoUsd(spent - spentByChildren)), calls: calls - callsOfChildren },
      children: { spent: usdJson(spentByChildren), calls: callsOfChildren },
      total: { spent: usdJson(spent), calls },
    },
  }
}

function renderModel({ model, spent, calls, promptTokens, completionTokens }: RunModel): JsonObject {
  return { model, spent: usdJson(spent), calls, tokens_prompt: promptTokens, tokens_completion: completionTokens }
}
