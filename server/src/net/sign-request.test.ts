import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { UpstreamRequest } from '#ports/upstream.ts'
import { signRequest, signingRegionOf } from './sign-request.ts'

/** The key, the time and the expected signatures come from AWS's own test suite for Signature Version 4. */
const exampleKey = 'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const options = { service: 'service', region: 'us-east-1', nowMs: Date.UTC(2015, 7, 30, 12, 36, 0) }

describe('signRequest', () => {
  it('signs as the post-vanilla case of AWS does', async () => {
    const signed = await signRequest(requestTo('/'), exampleKey, options)
    expect(signed.headers).toMatchObject({ host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' })
    expect(signed.headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
        'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    )
  })

  it('signs as the post-x-www-form-urlencoded case of AWS does, which has a body', async () => {
    const request = {
      ...requestTo('/'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    }
    const signed = await signRequest(request, exampleKey, options)
    expect(signatureOf(signed)).toBe('ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a')
  })

  it('signs as the post-vanilla-query case of AWS does', async () => {
    const signed = await signRequest(requestTo('/?Param1=value1'), exampleKey, options)
    expect(signatureOf(signed)).toBe('28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11')
  })

  it('sends the token of a session along and signs it', async () => {
    const signed = await signRequest(requestTo('/'), 'AKIDEXAMPLE:secret:token==,region=eu-west-1', options)
    expect(signed.headers['x-amz-security-token']).toBe('token==')
    expect(signed.headers.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token')
  })

  it('shows an API key as a bearer, without its region', async () => {
    const signed = await signRequest(requestTo('/'), 'ABSKexample=,region=eu-west-1', options)
    expect(signed.headers).toEqual({ authorization: 'Bearer ABSKexample=' })
  })

  it('signs the bytes that a body of pieces and files is sent as', async () => {
    const file = {
      name: 'x',
      mediaType: 'image/png',
      byteCount: 5,
      content: { kind: 'memory', bytes: Buffer.from('image') },
    } as const
    const pieces = ['{"a":"', { file, as: 'base64' }, '"}'] as const
    const whole = { ...requestTo('/'), body: `{"a":"${Buffer.from('image').toString('base64')}"}` }
    const hash = createHash('sha256').update(whole.body).digest('hex')
    const signed = await signRequest({ ...whole, body: pieces }, exampleKey, options)
    const expected = await signRequest({ ...whole, headers: { 'x-amz-content-sha256': hash } }, exampleKey, options)
    expect(signed.headers).toEqual(expected.headers)
    expect(signed.body).toBe(pieces)
  })

  it('leaves path and body as they were, encoded characters included', async () => {
    const request = { ...requestTo('/model/a.b-v1%3A0/converse'), body: '{"text":"å"}' }
    const signed = await signRequest(request, exampleKey, options)
    expect(signed).toMatchObject({ path: request.path, body: request.body, origin: request.origin })
  })
})

describe('signingRegionOf', () => {
  it.each([
    ['https://bedrock-runtime.eu-central-1.amazonaws.com', exampleKey, 'eu-central-1'],
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', exampleKey, 'us-gov-west-1'],
    ['https://bedrock-runtime.cn-north-1.amazonaws.com.cn', exampleKey, 'cn-north-1'],
    ['https://vpce-1-2.bedrock-runtime.eu-west-3.vpce.amazonaws.com', exampleKey, 'eu-west-3'],
    ['https://bedrock-runtime.eu-central-1.amazonaws.com', `${exampleKey},region=us-west-2`, 'eu-central-1'],
    ['https://proxy.example', `${exampleKey},region=us-west-2`, 'us-west-2'],
    ['http://127.0.0.1:8080', exampleKey, 'us-east-1'],
  ])('finds the region of %s with %s', (origin, credential, region) => {
    expect(signingRegionOf(origin, credential)).toBe(region)
  })
})

function requestTo(path: string): UpstreamRequest {
  const timeouts = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, connectTimeoutMs: 1_000 }
  return { origin: 'https://example.amazonaws.com', path, headers: {}, body: '', ...timeouts }
}

function signatureOf(request: UpstreamRequest): string | undefined {
  return /Signature=(\w+)$/.exec(request.headers.authorization ?? '')?.[1]
}
