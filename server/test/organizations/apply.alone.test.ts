import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

const example = join(import.meta.dirname, '../../../deploy/examples/university.yaml')

describe('weir org apply', () => {
  let world: OrganizationWorld
  let folder: string
  let text: string

  beforeAll(async () => {
    world = await startOrganizationWorld()
    folder = await mkdtemp(join(tmpdir(), 'weir-apply-'))
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: world.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(world.databaseUrl),
    })
    const { email } = await world.addMember((await world.createOrganization()).id)
    text = (await readFile(example, 'utf8')).replace(/admin: \S+/, `admin: ${email}`)
  })
  afterAll(async () => {
    await world.close()
    await rm(folder, { recursive: true })
  })

  it('shows a plan and changes nothing, unless a person says yes', async () => {
    const plan = await apply(text, ['--plan'])
    expect(plan).toMatchObject({ code: 0, error: '' })
    expect(plan.out).toMatch(/^\+ organization university: University of Weir, admin /m)
    expect(plan.out).toMatch(/^\+ team Physics of university, costCenterCode 4711, monthlyBudget 300 USD$/m)
    expect(plan.out).toMatch(
      /^~ team Physics of university: allowedModels all → openai\/\* anthropic\/claude-haiku-4\.5$/m,
    )
    expect(plan.out).toMatch(/^\+ content filter Card numbers of university: redact$/m)
    expect(plan.out).toMatch(/^\d changes to apply\.$/m)
    expect(await apply(text, [], 'no')).toMatchObject({ code: 1, out: 'Nothing was changed.\n' })
    expect(await apply(text, [])).toMatchObject({ code: 1, out: 'Nothing was changed.\n' })
    expect(await world.pool.query(`SELECT 1 FROM organizations WHERE slug = 'university'`)).toMatchObject({
      rowCount: 0,
    })
  })

  it('makes everything with audit entries of the operator, and has nothing to do the second time', async () => {
    const { code, out, questions } = await apply(text, [], 'yes')
    expect(questions.join('')).toMatch(/\+ organization university: [^]*\nApply \d changes\? yes or no: $/)
    expect(code).toBe(0)
    expect(out).toMatch(/^\d changes applied\.$/m)
    expect(await apply(text, ['--yes'])).toMatchObject({ code: 0, out: 'No changes.\n' })
    const { rows } = await world.pool.query(`SELECT o.*, t.name AS team, t.monthly_budget_nano AS team_budget
      FROM organizations o JOIN teams t ON t.organization_id = o.id WHERE o.slug = 'university' ORDER BY t.name`)
    expect(rows).toMatchObject([
      { team: 'Library', monthly_budget_nano: '1500000000000', team_budget: '50500000000' },
      { team: 'Physics', monthly_budget_nano: '1500000000000', team_budget: '300000000000' },
    ])
    const audit = await world.auditOf(rows[0].id)
    expect(new Set(audit.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['operator']))
    expect(audit.map(({ action }) => action)).toEqual([
      'org.create',
      'org_member.add',
      'org.update',
      'org.allowed_models.update',
      'team.create',
      'team.allowed_models.update',
      'team.create',
      'filter.rule.create',
      'filter.rule.create',
    ])
  })

  it('changes what differs and leaves alone what the file does not name', async () => {
    const changed = text
      .replace('monthlyBudget: 300', 'monthlyBudget: 250.10')
      .replace('action: redact', 'action: block')
    const { code, out } = await apply(changed, ['--yes'])
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        '~ team Physics of university: monthlyBudget 300 USD → 250.1 USD',
        '~ content filter Card numbers of university: action',
        '2 changes applied.\n',
      ].join('\n'),
    })
    const fewer = 'organizations: [{ slug: university, weeklyBudget: null, seats: 40 }]'
    expect((await apply(fewer, ['--yes'])).out).toBe(
      '~ organization university: weeklyBudget 500 USD → none, seats 500 → 40\n2 changes applied.\n'.replace(
        '2 changes',
        '1 change',
      ),
    )
    expect((await apply(fewer, ['--plan'])).out).toBe('No changes.\n')
    const pruned = await apply(fewer, ['--yes', '--prune'])
    expect(pruned.out).toMatch(/^- team Physics of university, and its keys$/m)
    expect(pruned.out).toMatch(/^- content filter Card numbers of university$/m)
    expect((await apply(fewer, ['--yes', '--prune'])).out).toBe('No changes.\n')
  })

  it('takes JSON as well, and prints it', async () => {
    const json = JSON.stringify({ organizations: [{ slug: 'university', name: 'University' }] })
    const { out } = await apply(json, ['--yes', '--json'])
    expect(JSON.parse(out)).toEqual({
      applied: true,
      changes: ['~ organization university: name University of Weir → University'],
    })
  })

  it.each([
    ['organizations:\n  - slug: uni\n    budget: 5\n', 'line 3: unknown field budget; use one of slug, name'],
    ['organisations: []\n', 'line 1: unknown field organisations'],
    ['organizations:\n  - slug: uni\n    teams:\n      - name: A\n        quota: 1\n', 'line 5: unknown field quota'],
    ['organizations:\n  - name: A\n', 'line 2: an organization needs a slug'],
    ['organizations:\n  - slug: uni\n    monthlyBudget: much\n', 'line 3: monthlyBudget must be'],
    [
      'organizations:\n  - slug: uni\n    monthlyBudget: 1234567.123456789\n',
      'line 3: 1234567.123456789 has more than 15',
    ],
    ['organizations:\n  - slug: uni\n    allowedModels: [GPT]\n', 'line 3: allowedModels[0], "GPT", must be lowercase'],
    ['organizations:\n  - slug: uni\n    billing: later\n', 'line 3: billing must be one of prepaid, monthly'],
    ['organizations:\n  - slug: uni\n  - slug: uni\n', 'line 3: duplicate uni'],
    ['organizations:\n  - slug: new\n', 'line 2: organization new is new, so the file must set its name and admin'],
    ['organizations: {}\n', 'line 1: organizations must be an array'],
    ['- slug: uni\n', 'line 1: expected an object with'],
    ['organizations:\n  - slug: "uni\n', 'line'],
    [
      'organizations:\n  - slug: university\n    contentFilters:\n      - name: X\n        action: block\n        matcher: { kind: regex, pattern: "(" }\n',
      'pattern',
    ],
    ['organizations:\n  - slug: university\n    creditLine: 0\n', 'line 2: Monthly billing requires a credit line'],
  ])('refuses %j', async (wrong, words) => {
    const { code, out, error } = await apply(wrong, ['--yes'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain(words)
  })

  async function apply(content: string, options: readonly string[], answer?: string) {
    const file = join(folder, 'file.yaml')
    await writeFile(file, content)
    const said = { out: '', error: '' }
    const questions: string[] = []
    const code = await runCommandLine(['org', 'apply', file, ...options], {
      out: (line) => void (said.out += `${line}\n`),
      error: (line) => void (said.error += `${line}\n`),
      readInput: async () => '',
      ...(answer === undefined
        ? {}
        : {
            ask: async (question) => {
              questions.push(question)
              return answer
            },
          }),
    })
    return { code, ...said, questions }
  }
})
