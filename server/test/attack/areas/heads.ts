import { randomBytes } from 'node:crypto'
import { hiddenRequests } from '#test/edge/hidden-requests.ts'
import { exchangeRaw } from '#test/edge/raw-exchange.ts'
import type { Area, Attack } from '../area.ts'
import { type OddHead, oddHeads } from '../expected/odd-heads.ts'
import { atOnce } from '../setup/at-once.ts'

const lanes = 12
// An attack may leave the gateway waiting for more bytes; no verdict depends on this time.
const patienceMs = 3_000

export const heads: Area = {
  name: 'heads',
  tries: 'raw bytes over sockets: requests that hide others, odd methods, versions, targets and headers',
  async run(attack) {
    const { world, report } = attack
    const { key, keyId } = await world.createClient()
    world.noteUnseen(keyId)
    const hidden = await tryHidden(attack, key)
    await atOnce(oddHeads, lanes, (head) => tryHead(attack, head, key))
    report.figure(`${hidden} requests that hide another, ${oddHeads.length} odd heads`)
  },
}

/** The hidden request calls a model, so its text would reach the upstream if any server on the way read it. */
async function tryHidden({ world, report }: Attack, key: string): Promise<number> {
  const word = `smuggled-${randomBytes(8).toString('hex')}`
  const body = JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content: word }] })
  const line = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const smuggled = `${line}authorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const forms = hiddenRequests(smuggled)
  await atOnce(forms, lanes, async ({ name, lines, rest }) => {
    const label = `hidden: ${name}`
    if (!report.attempt(label)) return
    const bytes = `${line}authorization: Bearer ${key}\r\n${lines.join('\r\n')}\r\n\r\n${rest}`
    const { answers } = await exchangeRaw(world.nextGateway().url, Buffer.from(bytes, 'latin1'), patienceMs)
    const statuses = answers.map(({ status }) => status)
    const isRight = statuses.length <= 1 && statuses.every((status) => [400, 408, 413, 415, 431].includes(status))
    if (isRight) return
    report.find({ label, expected: 'one refusal at most', got: statuses.join(', '), request: JSON.stringify(bytes) })
  })
  const reached = (await world.simulator.requests()).filter(({ rawBody }) => rawBody.includes(word))
  report.judge({
    label: 'hidden: what reached the upstream',
    isRight: reached.length === 0,
    expected: 'no hidden request',
    got: `${reached.length}`,
  })
  return forms.length
}

async function tryHead(
  { world, report }: Attack,
  { name, bytes, statuses, without }: OddHead,
  key: string,
): Promise<void> {
  if (!report.attempt(name)) return
  const sent = bytes.replaceAll('{key}', key)
  const { answers, text } = await exchangeRaw(world.nextGateway().url, Buffer.from(sent, 'latin1'), patienceMs)
  const got = answers.map(({ status }) => status)
  // A rejection closes the connection, so no response follows it.
  const isRight = got.length === statuses.length && statuses.every((right, index) => right.includes(got[index] ?? 0))
  const leaks = without?.exec(text)?.[0]
  if (isRight && leaks === undefined) return
  const expected = `${statuses.map((right) => right.join(' or ')).join(', ') || 'no answer'}${without === undefined ? '' : `, without ${without}`}`
  report.find({
    label: name,
    expected,
    got: `${got.join(', ')} ${text.slice(-200).replaceAll(/\s+/g, ' ')}`,
    request: JSON.stringify(sent.slice(0, 500)),
  })
}
