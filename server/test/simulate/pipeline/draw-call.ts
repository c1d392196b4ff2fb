import type { Principal } from '#domain/access/principal.ts'
import type { Random } from '#test/drills/setup/random.ts'
import type { Profile } from '../profile.ts'
import type { CallScript } from './call.ts'

/** Draws a client's request and its upstream's behaviour. One request in six outlives its lease. */
export function drawCall(
  random: Random,
  { id, principal, profile }: { id: string; principal: Principal; profile: Profile },
): CallScript {
  const heldTokens = random.integer(20, 300)
  const expectedTokens = random.integer(1, heldTokens)
  const isOpenEnded = random.chance(0.4)
  const isStreamed = random.chance(0.7)
  const isLong = random.chance(0.17)
  const chunkCount = random.integer(1, 4)
  const most = isOpenEnded ? heldTokens * 3 : heldTokens
  const chunks = Array.from({ length: chunkCount }, () => ({
    afterMs: random.integer(0, isLong ? 9_000 / chunkCount : 300),
    tokens: random.integer(0, Math.ceil(most / chunkCount)),
  }))
  const shown = chunks.reduce((sum, { tokens }) => sum + tokens, 0)
  const usual = Math.max(1, shown)
  const usedTokens = random.chance(profile.overrunChance) ? usual + random.integer(1, 400) : usual
  return {
    id,
    principal,
    heldTokens,
    expectedTokens,
    isOpenEnded,
    isStreamed,
    chunks,
    usedTokens: random.chance(0.1) ? null : usedTokens,
    leavesAfterMs: random.chance(profile.leaveChance) ? random.integer(0, 600) : null,
  }
}
