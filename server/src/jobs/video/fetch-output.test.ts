import { describe, expect, it } from 'vitest'
import type { VideoOutput } from '#domain/video/video-job.ts'
import { assert } from '#lib/assert.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import type { Download } from '#ports/media.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import { vendors } from '#providers/registry.ts'
import { createFetchOutput, type FetchDeps } from './fetch-output.ts'
import type { JobHost } from './step-job.ts'

const keyed: MediaRequest = { origin: 'https://films.example', path: '/v', headers: { authorization: 'key' }, body: '' }
const done: Download = { ok: true, byteCount: 7 }
const address: VideoOutput = { kind: 'url', url: 'https://files.example/a.mp4' }
const ownPath: VideoOutput = { kind: 'path', path: '/files/a' }

interface Scene {
  readonly request?: MediaRequest | undefined
  readonly hop?: Awaited<ReturnType<FetchDeps['askWithKey']>>
  readonly downloaded?: Download
}

async function fetched(output: VideoOutput, { request, hop, downloaded = done }: Scene) {
  const asked: unknown[] = []
  const { video } = vendors.luma.media
  assert(video !== undefined, 'Luma makes videos')
  const target = {
    baseUrl: '',
    authentication: { kind: 'none' },
    credential: null,
    upstreamModel: '',
    model: '',
    details: {},
  }
  const codec = { ...video, download: () => request }
  const host = { name: 'luma', codec, target, credential: null } as JobHost
  const fetch = createFetchOutput({
    remote: {
      download: async (url, { account, path, bytesMax, timeoutMs }) => {
        asked.push({ url, account, path, bytesMax, timeoutMs })
        return downloaded
      },
    },
    converse: async () => {
      throw new Error('nothing is in an answer')
    },
    askWithKey: async (keyedRequest) => {
      asked.push(keyedRequest)
      return hop ?? { kind: 'done', download: done }
    },
    bytesMax: 100,
    timeoutMs: 60_000,
  })
  const bytes = await fetch(output, { walletId: 'wallet' } as ClaimedJob, host, '/tmp/video')
  return { bytes, asked }
}

const unkeyed = { account: 'wallet', path: '/tmp/video', bytesMax: 100, timeoutMs: 60_000 }

describe('a finished video', () => {
  it('is fetched from its address, in the turn of its wallet', async () => {
    expect(await fetched(address, {})).toEqual({
      bytes: 7,
      asked: [{ url: 'https://files.example/a.mp4', ...unkeyed }],
    })
  })

  it('is fetched with the key where the codec says so', async () => {
    expect(await fetched(address, { request: keyed })).toEqual({ bytes: 7, asked: [keyed] })
    expect(await fetched(ownPath, { request: keyed })).toEqual({ bytes: 7, asked: [keyed] })
  })

  it('is fetched without the key where its provider sends us elsewhere', async () => {
    const hop = { kind: 'redirect', location: 'https://elsewhere.example/b.mp4' } as const
    expect((await fetched(ownPath, { request: keyed, hop })).asked).toEqual([
      keyed,
      { url: 'https://elsewhere.example/b.mp4', ...unkeyed },
    ])
  })

  it('fails for the reason that its download failed', async () => {
    const downloaded: Download = { ok: false, reason: 'too-large', why: 'too large' }
    await expect(fetched(address, { downloaded })).rejects.toThrow('too large')
  })

  it('fails where it is no address and the codec does not say how to fetch it', async () => {
    await expect(fetched(ownPath, {})).rejects.toThrow('does not say how to fetch')
  })
})
