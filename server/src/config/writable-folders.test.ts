import { describe, expect, it } from 'vitest'
import { parseConfig } from './parse-config.ts'
import { blobFolderOf, blobFolders, gatewayFolders } from './writable-folders.ts'

const secret = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const configOf = (env: Record<string, string>) =>
  parseConfig({ env: { WEIR_SECRET: secret, WEIR_DATA_DIR: '/data', ...env } })

const data = { folder: '/data', key: 'dataDir', variable: 'WEIR_DATA_DIR' }
const own = { folder: '/blobs', key: 'blobs.folder', variable: 'WEIR_BLOBS_FOLDER' }
const s3 = { WEIR_BLOBS_KIND: 's3', WEIR_BLOBS_S3_BUCKET: 'weir', WEIR_BLOBS_S3_REGION: 'us-east-1' }

describe('the folders that must be writable', () => {
  it.each([
    { what: 'blobs in the data folder', env: {}, blobs: [data] },
    { what: 'a folder for blobs', env: { WEIR_BLOBS_FOLDER: '/blobs' }, blobs: [own] },
    { what: 'blobs in S3', env: s3, blobs: [] },
  ])('with $what', ({ env, blobs }) => {
    const config = configOf(env)
    expect(blobFolders(config)).toEqual(blobs)
    expect(gatewayFolders(config)).toEqual([data, ...blobs])
  })
})

it('keeps blobs in a folder of the data, unless the operator names another', () => {
  expect(blobFolderOf(configOf({}))).toBe('/data/blobs')
  expect(blobFolderOf(configOf({ WEIR_BLOBS_FOLDER: '/blobs' }))).toBe('/blobs')
})
