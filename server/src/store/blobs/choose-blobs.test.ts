import { expect, it } from 'vitest'
import { type BlobSettings, s3OptionsOf } from './choose-blobs.ts'

const settings: BlobSettings = {
  kind: 's3',
  s3Bucket: 'weir',
  s3Region: 'eu-central-1',
  s3Endpoint: 'https://s3.example',
  s3AccessKeyId: 'id',
  s3SecretAccessKey: 'secret',
  s3PathStyle: true,
}

it('asks the bucket with the key that the operator has set', () => {
  expect(s3OptionsOf(settings)).toEqual({
    bucket: 'weir',
    region: 'eu-central-1',
    endpoint: 'https://s3.example',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    pathStyle: true,
  })
})

it('leaves the credentials to the machine unless both halves are set', () => {
  expect(s3OptionsOf({ ...settings, s3AccessKeyId: null }).credentials).toBeNull()
  expect(s3OptionsOf({ ...settings, s3SecretAccessKey: null }).credentials).toBeNull()
})

it('takes a bucket that start-up must have refused for our own mistake', () => {
  expect(() => s3OptionsOf({ ...settings, s3Bucket: null })).toThrow('start-up has refused')
})
