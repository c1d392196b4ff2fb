import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import type { Attack } from '../area.ts'
import { asCurl, sendJson } from '../setup/send.ts'
import type { Person, Place } from './people.ts'

const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const

/**
 * Fills the cache for one organization, and sends the same requests with the credentials of all others. No answer may
 * come from the cache, nor name a request of the organization, nor may the organization's own answer change.
 */
export async function probeCache(
  { world, report }: Attack,
  { places, callers }: { readonly places: { readonly away: Place }; readonly callers: readonly Person[] },
): Promise<number> {
  const owner = await world.addOrganizationKey(places.away.organizationId)
  const headers = { authorization: `Bearer ${owner.key}` }
  world.noteUnseen(owner.keyId)
  let tried = 0
  for (const path of paths) {
    const words = `a question with ${randomBytes(8).toString('hex')}`
    const prompt = path === '/v1/responses' ? { input: words } : { messages: [{ role: 'user', content: words }] }
    const body = { model: 'openai/gpt-5.2', max_tokens: 64, ...prompt, cache: true }
    const ask = (as: Record<string, string>) =>
      sendJson(world.nextGateway().url + path, { method: 'POST', headers: as, body })
    const [first, second] = [await ask(headers), await ask(headers)]
    assert.deepEqual(
      [first, second].map((answer) => answer.headers['x-weir-cache']),
      ['miss', 'hit'],
      second.text,
    )
    const seen = new Set<string>()
    for (const caller of callers) {
      // These pay from the same wallet.
      if (caller.boundTo === 'away') continue
      const label = `POST ${path} by ${caller.name} for a cached answer`
      if (!report.attempt(label)) continue
      tried += 1
      const answer = await ask(caller.headers)
      const outcome = String(answer.headers['x-weir-cache'])
      // Keys of one wallet share answers, so the second of them may hit what the first one filled.
      const payer = caller.boundTo ?? caller.userId ?? caller.name
      const isRight = outcome !== 'hit' || seen.has(payer)
      // A token pays with a key that is not its own.
      const generationId = parseGenerationId(String(answer.headers['x-generation-id']))
      if (generationId !== undefined) world.noteUnseen(generationId)
      const isLeak = answer.text.includes(String(first.headers['x-generation-id']))
      if (answer.status === 200) seen.add(payer)
      if (isRight && !isLeak) continue
      const request = asCurl(world.nextGateway().url + path, { method: 'POST', headers: caller.headers, body })
      report.find({ label, expected: 'nothing of the answer of another wallet', got: outcome, request })
    }
  }
  return tried
}
