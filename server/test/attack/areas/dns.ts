import type { Area } from '../area.ts'
import { openFloodField } from '../connections/flood-field.ts'
import { tryFlood } from '../connections/try-flood.ts'
import { sendJson } from '../setup/send.ts'

// A hundred requests are too few to tell nine tenths from all, but enough to detect a gateway that stalls.
const [shareMin, shortShareMin] = [0.9, 0.3]

export const dns: Area = {
  name: 'dns',
  tries:
    "orders that name tens of thousands of silent hosts, while another tenant's upstream is looked up for every call",
  async run(attack) {
    const { world, report, isShort } = attack
    const field = await openFloodField(attack)
    for (const count of [10, 1_000, 20_000]) {
      const label = `[B4] an order with ${count} names`
      if (!report.attempt(label)) continue
      const before = world.dns.asked.get('flood') ?? 0
      const input_references = Array.from({ length: count }, (_, at) => `https://flood-${at}.dns.example/a.png`)
      const { status, text } = await sendJson(`${field.gatewayUrl}/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${field.attackerKey}` },
        body: { model: 'google/veo-3.1', prompt: 'x', input_references },
      })
      const questions = (world.dns.asked.get('flood') ?? 0) - before
      const got = `${status} ${text.slice(0, 200)} after ${questions} questions`
      if (status !== 400 || questions > 0) report.find({ label, expected: '400 before any name is looked up', got })
    }
    const trial = {
      connections: 0,
      rounds: isShort ? 3 : 5,
      ...(isShort ? { callsMin: 100, forMsMin: 0 } : { callsMin: 400, forMsMin: 5_000 }),
      shareMin: isShort ? shortShareMin : shareMin,
    }
    await tryFlood(attack, field, { label: '[B4] names', kinds: ['names'], ...trial })
    await field.close()
  },
}
