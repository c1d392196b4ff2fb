import { expect, it } from 'vitest'
import type { Moderation } from '#ports/moderation.ts'
import { chooseModeration, type ModerationEngine } from './choose-moderation.ts'

it.each<{ engine: ModerationEngine; asked: string[] | null }>([
  { engine: 'off', asked: null },
  { engine: 'built-in', asked: ['built-in'] },
  { engine: 'upstream', asked: ['upstream'] },
  { engine: 'both', asked: ['built-in', 'upstream'] },
])('$engine asks $asked, and makes nothing else', async ({ engine, asked }) => {
  const seen: string[] = []
  const made: string[] = []
  const named = (name: string) => (): Moderation => {
    made.push(name)
    return {
      review: () => {
        seen.push(name)
        return { allowed: true }
      },
    }
  }
  const moderation = chooseModeration(engine, { builtIn: named('built-in'), upstream: named('upstream') })
  await moderation?.review({ texts: ['hello'], payer: 'wallet' })
  expect(moderation === null ? null : seen).toEqual(asked)
  expect(made).toEqual(asked ?? [])
})
