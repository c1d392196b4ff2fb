import { Type } from 'typebox'
import { importMembers, type ImportResult } from '#control/organizations/import/import-members.ts'
import { importLimits, parseImport } from '#control/organizations/import/parse-import.ts'
import type { InvitationDeps } from '#control/organizations/invitations/invitation-deps.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'

const outcomes = ['invite', 'change', 'unchanged', 'error'] as const

const bodySchema = Type.Object({
  csv: Type.Optional(
    Type.String({
      maxLength: importLimits.csvLengthMax,
      description:
        'CSV text whose first line names the columns: email, name, role, team, monthly_budget, cost_centre. Only email is required. An empty cell changes nothing; `none` clears a team or a budget.',
    }),
  ),
  rows: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      maxItems: importLimits.rowsMax,
      description: 'Objects with the same fields, instead of `csv`. Null clears a team or a budget.',
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'Plans the import and changes nothing. Defaults to false.' })),
  createTeams: Type.Optional(
    Type.Boolean({ description: 'Creates teams that do not exist. Otherwise their rows are errors.' }),
  ),
})

const resultSchema = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Line of the CSV text, or position in `rows`, from 1.' }),
        email: Type.Union([Type.String(), Type.Null()]),
        outcome: Type.Enum([...outcomes]),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the row is an error.' }),
        url: Type.Union([Type.String(), Type.Null()], {
          description: 'Link of an invitation that was not mailed, shown only once.',
        }),
      }),
    ),
    counts: Type.Object({
      invite: Type.Integer(),
      change: Type.Integer(),
      unchanged: Type.Integer(),
      error: Type.Integer(),
    }),
    newTeams: Type.Array(Type.String(), { description: 'Teams that the import creates.' }),
    maximumCost: Type.Object(
      {
        monthly: Type.Union([Type.Number(), Type.Null()], {
          description:
            'The most that members and invited people can spend in a month in USD, within the budgets of teams and the organization. Null if nothing limits it.',
        }),
        memberBudgets: Type.Number({ description: 'Sum of the budgets of members and invited people in USD.' }),
        withoutBudget: Type.Integer({ description: 'Members and invited people without a budget.' }),
      },
      { description: 'After the import. Keys that belong to no member are not included.' },
    ),
  },
  { $id: 'ImportResult' },
)

/** Imports members from a file. A team_admin imports into their own team. */
export function importEndpoint(deps: InvitationDeps): Endpoint {
  return {
    name: 'importMembers',
    method: 'POST',
    paths: ['/v1/orgs/:orgId/members/import'],
    tag: 'Organizations',
    summary: 'Import members',
    description:
      'Invites people who are no members, and changes members and open invitations that differ. A repeated import changes only what differs.',
    access: 'members.manage',
    body: bodySchema,
    reply: { status: 200, description: 'The result of each row.', schema: Type.Object({ data: resultSchema }) },
    errors: ['missingRequiredField', 'conflict', 'staleSession'],
    handle: async (request) => {
      const { grant, membership } = organizationOf(request)
      const wanted = parseImport(request.body)
      const givesRole = wanted.rows.some(({ role }) => role !== undefined && role !== 'member')
      if (givesRole && !wanted.dryRun) requireFreshSession(request)
      const input = { wanted, inviterId: membership.userId, grant, stamp: auditStampOf(request) }
      return { body: { data: renderImport(await importMembers(deps, input, request.nowMs)) } }
    },
  }
}

function renderImport({ rows, newTeams, maximum }: ImportResult): JsonObject {
  const count = (outcome: string): number => rows.filter((each) => each.outcome === outcome).length
  return {
    rows: rows.map((each) => ({ ...each })),
    counts: Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])),
    newTeams: [...newTeams],
    maximumCost: {
      monthly: nullableUsdJson(maximum.monthly),
      memberBudgets: usdJson(maximum.memberBudgets),
      withoutBudget: maximum.withoutBudget,
    },
  }
}
