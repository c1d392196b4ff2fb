import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: every kind is tried at every provider.
import { videoTaskKinds } from '#domain/video/video-task.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { tasksOf } from '#providers/codecs/video-codec.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const hosts: readonly { readonly host: VideoHostName; readonly model: string }[] = [
  { host: 'ark', model: 'dreamina-seedance-2-0-260128' },
  { host: 'dashscope', model: 'wan2.7-t2v' },
  { host: 'fal', model: 'fal-ai/veo3.1' },
  { host: 'kling', model: 'kling-v3' },
  { host: 'luma-agents', model: 'ray-3.2' },
  { host: 'luma-dream-machine', model: 'ray-flash-2' },
  { host: 'minimax-v1', model: 'MiniMax-Hailuo-02' },
  { host: 'minimax-v2', model: 'MiniMax-H3' },
  { host: 'openai', model: 'sora-2' },
  { host: 'openrouter', model: 'google/veo-3.1' },
  { host: 'replicate', model: 'google/veo-3.1' },
  { host: 'runway', model: 'gen4.5' },
  { host: 'omni', model: 'gemini-omni-1.1-flash' },
  { host: 'vertex-veo', model: 'veo-3.1-generate-001' },
  { host: 'xai', model: 'grok-imagine-video' },
]
const working = (status: 'pending' | 'in_progress') => ({ kind: 'working', status })

describe.each(hosts)('$host', ({ host, model }) => {
  let talk: VideoTalk
  let target: MediaTarget
  const task = videoTask()

  beforeAll(async () => {
    talk = await startVideoTalk(host)
    target = talk.target(model)
  })
  afterAll(() => talk.close())

  it('[VIDEO-13] takes an order, waits, works and has a video, whose seconds are counted', async () => {
    await talk.upstream.play({ pendingPolls: 2, workingPolls: 2 })
    const [one, two, three, four, made] = await talk.follow(task, target)
    // Vertex does not distinguish the two states.
    const first = working(host === 'vertex-veo' ? 'in_progress' : 'pending')
    expect([one, two, three, four]).toEqual([first, first, working('in_progress'), working('in_progress')])
    if (made?.kind !== 'made') throw new Error(`it was ${made?.kind}`)
    expect(made.outputs).toHaveLength(1)
    expect(made.usage.media?.outputVideoMs).toBeGreaterThanOrEqual(5_000)
    expect(made.usage.media?.variant).toMatchObject({ task: 'text_to_video', audio: 'false', input_video: 'false' })
    const [order] = await talk.upstream.orders()
    expect(order).toMatchObject({ prompt: task.prompt })
    expect(order?.pollsAtMs).toHaveLength(5)
  })

  it('takes what nobody knows for work that goes on, and never for a video', async () => {
    await talk.upstream.play({ end: { kind: 'odd' } })
    const heard = await talk.follow(task, target)
    expect(heard).toHaveLength(20)
    for (const progress of heard) expect(progress.kind).toBe('working')
  })

  it('[VIDEO-25] says why a video could not be made', async () => {
    await talk.upstream.play({ workingPolls: 1, end: { kind: 'failed', message: 'the rain would not fall' } })
    const [, failed] = await talk.follow(task, target)
    expect(failed).toMatchObject({ kind: 'failed', message: expect.stringContaining('the rain would not fall') })
    expect(failed).not.toHaveProperty('isModerated')
  })

  it('[VIDEO-25] knows a refusal of the content, also where the host calls it completed', async () => {
    await talk.upstream.play({ end: { kind: 'moderated' } })
    const [failed] = await talk.follow(task, target)
    expect(failed).toMatchObject({ kind: 'failed', isModerated: true, message: expect.stringContaining('content') })
  })

  it('[VIDEO-25] gives a job up that the host no longer knows', async () => {
    await talk.upstream.play({ pendingPolls: 1, end: { kind: 'expired' } })
    const [first, forgotten] = await talk.follow(task, target)
    expect(first?.kind).toBe('working')
    expect(forgotten).toMatchObject({ kind: 'failed', message: expect.stringContaining('no longer has') })
  })

  it('asks again where an answer came twice, and hears the right one', async () => {
    await talk.upstream.play({ submit: 'twice', poll: 'twice', workingPolls: 1 })
    const [first, made] = await talk.follow(task, target)
    expect([first?.kind, made?.kind]).toEqual(['working', 'made'])
  })

  it('does not take a lost answer for a refusal, because the order was taken', async () => {
    await talk.upstream.play({ submit: 'lost' })
    const before = (await talk.upstream.orders()).length
    const fault: unknown = await talk.submit(task, target).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Error)
    expect(fault).not.toBeInstanceOf(UpstreamRefusedError)
    expect(await talk.upstream.orders()).toHaveLength(before + 1)
  })

  it.each([
    ['failing', 'retry', 'upstreamUnavailable'],
    ['limited', 'retry', 'upstreamRateLimited'],
    ['invalid', 'give-up', 'unknownUpstream4xx'],
  ] as const)('judges a refusal that is %s', async (submit, action, errorName) => {
    await talk.upstream.play({ submit })
    await expect(talk.submit(task, target)).rejects.toMatchObject({ refusal: { action, errorName } })
  })

  it('judges a refused key, and shows it nowhere', async () => {
    const stranger = { ...target, credential: 'somebody-elses-key' }
    const fault: unknown = await talk.submit(task, stranger).catch((error: unknown) => error)
    expect(fault).toMatchObject({ refusal: { action: 'fail-over', errorName: 'upstreamAuthFailed' } })
    expect(JSON.stringify(fault)).not.toContain('somebody-elses-key')
  })

  it('[VIDEO-18] refuses every kind of task that it does not make, before anybody is asked', async () => {
    await talk.upstream.play({})
    const before = (await talk.upstream.requests()).length
    const others = videoTaskKinds.filter((kind) => !tasksOf(talk.codec, target.upstreamModel).includes(kind))
    for (const kind of others) {
      const fault = await talk.submit(taskOfKind[kind], target).catch((error: unknown) => error)
      expect(fault, kind).toMatchObject({ errorName: 'unsupportedParam' })
      expect(String(fault)).toContain('text_to_video')
    }
    expect(others.includes('continuation')).toBe(!['dashscope', 'xai'].includes(host))
    expect(await talk.upstream.requests()).toHaveLength(before)
  })

  it('[VIDEO-29] has its videos fetched with the key where that is needed, and only from itself', async () => {
    await talk.upstream.play({ end: { kind: 'made', count: 1 } })
    const [made] = await talk.follow(task, target)
    const output = made?.kind === 'made' ? made.outputs[0] : undefined
    if (output === undefined) throw new Error('nothing was made')
    expect(output.kind === 'answer').toBe(host === 'vertex-veo')
    if (output.kind === 'answer') return
    const request = talk.codec.download?.(output, target)
    const wantsKey = ['openai', 'openrouter', 'omni'].includes(host)
    expect(request !== undefined).toBe(wantsKey)
    const url = request === undefined && output.kind === 'url' ? output.url : `${request?.origin}${request?.path}`
    const response = await fetch(url, { headers: { ...request?.headers, range: 'bytes=4-7' } })
    expect([response.status, await response.text()]).toEqual([206, 'ftyp'])
    if (wantsKey) expect((await fetch(url)).status).toBe(401)
  })
})
