import { parseUsd } from '#domain/money/nano-usd.ts'
import type { Transcript } from '#test/drills/setup/call.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { leakedIn, sentences } from '#test/upstream-words/leaks.ts'
import { sayings } from '#test/upstream-words/says.ts'
import type { Area, Attack } from '../area.ts'
import { oddUpstreams } from '../expected/odd-upstreams.ts'
import { judgeBooks } from '../setup/judge-books.ts'

const credit = '25'
// Sixteen tokens and a greeting are held at slightly over $0.0002; no upstream report raises the charge.
const costMax = parseUsd('0.0003')
/** The price of one output token of the requested model. */
const outputPriceNano = 12_000n

export const upstreams: Area = {
  name: 'upstreams',
  tries: 'answers that no honest upstream gives: absurd usage, broken streams, secrets in errors',
  alarm: /"msg":"an upstream reported more tokens than the request can have used/,
  async run(attack) {
    const { world, report, isShort } = attack
    const wallets: Spending[] = []
    const call = async (asked: Parameters<typeof callOnce>[2]): Promise<Transcript> => {
      // Each response has its own wallet, so that an absurd charge affects no other.
      const caller = await world.createClient({ usd: credit })
      const seen = await callOnce(attack, caller, asked)
      wallets.push({ walletId: caller.walletId, seen })
      return seen
    }
    for (const { name, isStream, scenario, statuses } of oddUpstreams) {
      if (!report.attempt(name)) continue
      judgeAnswer(attack, await call({ isStream, scenario }), { name, statuses })
    }
    const said = sayings.filter(({ protocol }) => protocol === 'openai')
    for (const { place, isStream, play } of said) {
      for (const sentence of isShort ? sentences.slice(0, 1) : sentences) {
        const name = `[B8] secrets in ${place}: ${sentence}`
        if (!report.attempt(name)) continue
        judgeAnswer(attack, await call({ isStream, scenario: play(sentence) }), {
          name,
          statuses: [200, 400, 502],
        })
      }
    }
    await world.simulator.play({ kind: 'echo' })
    await judgeWallets(attack, wallets)
    report.figure(`${oddUpstreams.length} odd answers, ${said.length * sentences.length} sentences with secrets`)
  },
}

async function callOnce(
  { world }: Attack,
  caller: TestClient,
  { isStream, scenario }: { isStream: boolean; scenario: StepsScenario },
): Promise<Transcript> {
  await world.simulator.play(scenario)
  const body = {
    model: 'openai/gpt-5.2',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 16,
    stream: isStream,
  }
  return world.call(world.nextGateway(), caller, body).ended
}

function judgeAnswer(
  { report }: Attack,
  seen: Transcript,
  { name, statuses }: { name: string; statuses: readonly number[] },
): void {
  const got = `${seen.status} ${seen.cause ?? ''} ${seen.text.slice(0, 300)}`
  const find = (expected: string): void => report.find({ label: name, expected, got })
  if (seen.status === null || !statuses.includes(seen.status)) find(statuses.join(' or '))
  if (seen.end !== 'complete') find('an answer that ends')
  if (seen.streamed && seen.status === 200 && !seen.sawDone) find('a stream that ends with [DONE]')
  // An upstream that ignores its cap is paid for its delivered output: no output has more tokens than bytes.
  const paidMax = costMax + BigInt(seen.text.length) * outputPriceNano
  if (seen.costNano !== null && (seen.costNano < 0n || seen.costNano > paidMax))
    find('a cost from nothing to what was held and delivered')
  if (seen.text.includes('forbidden-text')) find('nothing of what comes after the end')
  if (/\bNaN\b|Infinity/.test(seen.text)) find('numbers')
  for (const leak of leakedIn(seen.text)) find(`nothing of ${leak}`)
}

interface Spending {
  readonly walletId: string
  readonly seen: Transcript
}

/** Whatever the upstream reports, the shown cost is the charge, and each wallet changed by exactly that. */
async function judgeWallets(attack: Attack, wallets: readonly Spending[]): Promise<void> {
  await judgeBooks(attack)
  const { world, report } = attack
  for (const { walletId, seen } of wallets) {
    const { balance, held } = await world.walletOf(walletId)
    const isRight = parseUsd(credit) - parseUsd(balance) === (seen.costNano ?? 0n) && parseUsd(held) === 0n
    const expected = `$${credit} less ${seen.costNano ?? 0n} nano-dollars`
    report.judge({
      label: `books: the wallet of ${seen.generationId}`,
      isRight,
      expected,
      got: `$${balance}, $${held} held`,
    })
  }
}
