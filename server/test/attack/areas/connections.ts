import { exchangeRaw } from '#test/edge/raw-exchange.ts'
import { readResources } from '#test/drills/setup/process-resources.ts'
import type { Area, Attack } from '../area.ts'
import { openFloodField } from '../connections/flood-field.ts'
import { floodKinds } from '../connections/flood.ts'
import { holdBodies } from '../connections/hold-bodies.ts'
import { tryIdle, trySlowHeads } from '../connections/slow-heads.ts'
import { tryFlood } from '../connections/try-flood.ts'

// A hundred requests are too few to tell nine tenths from all, but enough to detect a gateway that stalls.
const [shareMin, shortShareMin] = [0.9, 0.3]

export const connections: Area = {
  name: 'connections',
  tries: 'silent, slow and huge connections by the thousand, while another tenant calls models',
  async run(attack) {
    const { isShort } = attack
    // This part takes longer than everything else and disturbs nothing, so it runs in parallel.
    const idle = isShort ? Promise.resolve() : tryIdle(attack)
    const field = await openFloodField(attack)
    const common = isShort
      ? { connections: 300, callsMin: 100, forMsMin: 0 }
      : { connections: 2_000, callsMin: 400, forMsMin: 5_000 }
    for (const kind of floodKinds) {
      if (kind === 'names' || (isShort && kind !== 'slow bodies')) continue
      const trial = { label: `[B5] ${kind}`, kinds: [kind], rounds: isShort ? 1 : 2, shareMin: null, ...common }
      await tryFlood(attack, field, trial)
    }
    const kinds = ['slow bodies', 'bombs', 'names'] as const
    const rounds = isShort ? 3 : 5
    await tryFlood(attack, field, {
      label: '[B1] [B4] [B5] slow bodies, bombs and names at once',
      kinds,
      rounds,
      shareMin: isShort ? shortShareMin : shareMin,
      ...common,
    })
    await field.close()
    await tryPatience(attack)
    await trySlowHeads(attack)
    await idle
    if (!isShort) await tryMemory(attack)
  },
}

const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
// Far longer than this gateway's timeout of one second.
const waitMs = 30_000

/** The gateway rejects a stalled head or body. Its timeouts are short, so that the run does not wait. */
async function tryPatience({ world, report }: Attack): Promise<void> {
  const { key } = await world.createClient()
  const gateway = await world.startGatewayWith({
    WEIR_HTTP_HEAD_TIMEOUT_MS: '1000',
    WEIR_BODIES_PACE_WINDOW_MS: '1000',
  })
  const slow = {
    '[B5] a head that does not go on': head,
    '[B5] a body that does not go on': `${head}authorization: Bearer ${key}\r\ncontent-length: 1000\r\n\r\n{"a":`,
    '[B5] a body in chunks that does not go on': `${head}authorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
  }
  await Promise.all(
    Object.entries(slow).map(async ([label, bytes]) => {
      if (!report.attempt(label)) return
      const { answers } = await exchangeRaw(gateway.url, bytes, waitMs)
      const got = answers.map(({ status }) => status).join(', ')
      if (got !== '408')
        report.find({ label, expected: '408', got: got || 'no answer', request: JSON.stringify(bytes) })
    }),
  )
  await world.endGateway(gateway)
}

// Half of the memory of 120 whole bodies, and twice the limit of unparsed bodies per process.
const growthMaxKb = 600_000

/** 120 nearly complete bodies must not all be in memory, whoever sends them. */
async function tryMemory({ world, report }: Attack): Promise<void> {
  const gateway = await world.startGatewayWith({})
  const before = (await readResources(gateway.pid)).rssKb
  for (const key of [null, (await world.createClient()).key]) {
    const label = `[B5] 120 bodies, each 100 bytes short of 10 MB, ${key === null ? 'without a key' : 'with a key'}`
    if (!report.attempt(label)) continue
    const held = await holdBodies({ url: gateway.url, key, count: 120, bytes: 10_000_000 })
    const growthKb = (await readResources(gateway.pid)).rssKb - before
    held.release()
    const got = `${Math.round(growthKb / 1_024)} MB for ${held.byteCount} bytes`
    report.figure(`${label}: ${got}`)
    if (growthKb > growthMaxKb) report.find({ label, expected: `at most ${growthMaxKb / 1_000} MB more`, got })
  }
  await world.endGateway(gateway)
}
