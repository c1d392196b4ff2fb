import { applyPlan, type ApplyDeps, planOrgFile } from '#control/organizations/apply/apply-org-file.ts'
import { parseOrgFile } from '#control/organizations/apply/parse-org-file.ts'
import { createThreadsWhenNeeded } from '#net/filters/threads-when-needed.ts'
import { createAllowedModelsStore } from '#store/postgres/allowed-models/allowed-models-store.ts'
import { createFilterRuleStore } from '#store/postgres/filters/filter-rule-store.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { commandActor } from '../command-line/command-author.ts'
import type { Command, CommandOutput } from '../command-line/command.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { readLinedYaml } from '../read-lined-yaml.ts'
import { readTextUpTo } from '../read-text-file.ts'

const fileBytesMax = 10_485_760
// Longer than for a request, because only the operator waits for it.
const filterTimeoutMs = 1_000

export const orgApplyCommands: readonly Command[] = [
  {
    words: 'org apply',
    summary:
      'Apply organizations, teams, budgets, allowed models and content filters from a file. Shows the plan first.',
    positionals: ['file'],
    options: {
      plan: { type: 'boolean', description: 'Only show the plan.' },
      yes: { type: 'boolean', description: 'Apply without asking.' },
      prune: {
        type: 'boolean',
        description: 'Delete teams and content filters that are missing from the file, in organizations it contains.',
      },
    },
    run(input) {
      const wanted = parseOrgFile(readLinedYaml(readTextUpTo(input.argument(0), fileBytesMax)))
      return withSession((session) =>
        withApplyDeps(session, async (deps) => {
          const plans = await planOrgFile(deps, wanted, { prune: input.flag('prune') })
          const lines = plans.flatMap(({ changes }) => changes.map(({ text }) => text))
          const shown = (verdict: string, applied: boolean, exitCode = 0): CommandOutput => {
            return { lines: [...lines, verdict], data: { changes: lines, applied }, exitCode }
          }
          if (lines.length === 0) return shown('No changes.', false)
          if (input.flag('plan')) return shown(`${countOf(lines.length)} to apply.`, false)
          if (!input.flag('yes') && !isYes(await input.ask(questionOf(lines)))) {
            return { lines: ['Nothing was changed.'], data: { changes: lines, applied: false }, exitCode: 1 }
          }
          await applyPlan(deps, plans)
          return shown(`${countOf(lines.length)} applied.`, true)
        }),
      )
    },
  },
]

async function withApplyDeps<T>({ pool, users, announce }: Session, use: (deps: ApplyDeps) => Promise<T>): Promise<T> {
  // Imported here because no other organization command runs a filter.
  const { createFilterEngine } = await import('../wiring/filters.ts')
  const start = () => createFilterEngine({ timeoutMs: filterTimeoutMs })
  const engine = createThreadsWhenNeeded({ timeoutMs: filterTimeoutMs, start })
  try {
    return await use({
      organizations: createOrganizations(pool),
      users,
      announce,
      allowedModels: createAllowedModelsStore(pool, Date.now),
      filters: { store: createFilterRuleStore(pool, Date.now), engine },
      nowMs: Date.now,
      actor: commandActor(),
    })
  } finally {
    await engine.close()
  }
}

function questionOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\nApply ${countOf(lines.length).replace(/^1 change$/, 'this change')}? yes or no: `
}

function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim())
}

function countOf(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`
}
