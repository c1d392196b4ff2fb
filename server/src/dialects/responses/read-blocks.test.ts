import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { readBlocks, readToolOutput } from './read-blocks.ts'

const cache_control = { type: 'ephemeral' }
const address = 'https://a.example/a'
const byAddress = { kind: 'url', url: address }

describe('the content of a message', () => {
  it.each<[JsonValue | undefined, unknown[]]>([
    ['Hello', [{ kind: 'text', text: 'Hello' }]],
    ['', []],
    [undefined, []],
    [null, []],
    [{ type: 'input_text', text: 'Hello' }, []],
    [['Hello', null], []],
  ])('%j is read as %j', (content, parts) => {
    expect(readBlocks(content)).toEqual(parts)
  })

  it('keeps the order of its blocks, and passes over those that say nothing', () => {
    const content = [
      { type: 'input_text', text: 'a' },
      { type: 'input_smell', text: 'b' },
      { type: 'input_image', image_url: address },
    ]
    expect(readBlocks(content)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'image', source: byAddress },
    ])
  })

  it.each<[JsonObject, unknown]>([
    [
      { type: 'input_text', text: 'a' },
      { kind: 'text', text: 'a' },
    ],
    [
      { type: 'output_text', text: 'a' },
      { kind: 'text', text: 'a' },
    ],
    [
      { type: 'text', text: 'a', cache_control },
      { kind: 'text', text: 'a', cache: cache_control },
    ],
    [
      { type: 'input_image', image_url: address, detail: 'low' },
      { kind: 'image', source: byAddress, detail: 'low' },
    ],
    [
      { type: 'input_image', image_url: { url: address } },
      { kind: 'image', source: byAddress },
    ],
    [
      { type: 'image_url', image_url: { url: address, detail: 'high' }, cache_control },
      { kind: 'image', source: byAddress, detail: 'high', cache: cache_control },
    ],
    [
      { type: 'input_file', file_url: address },
      { kind: 'file', source: byAddress },
    ],
    [
      { type: 'input_file', file_data: 'JVBE', file_url: address, filename: 'a.pdf', cache_control },
      {
        kind: 'file',
        source: { kind: 'data', mediaType: 'application/pdf', base64: 'JVBE' },
        filename: 'a.pdf',
        cache: cache_control,
      },
    ],
    [
      { type: 'input_file', file_data: 'data:text/plain;base64,QQ==' },
      { kind: 'file', source: { kind: 'data', mediaType: 'text/plain', base64: 'QQ==' } },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
      { kind: 'audio', base64: 'UklG', format: 'mp3' },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'UklG' } },
      { kind: 'audio', base64: 'UklG', format: 'wav' },
    ],
    [
      { type: 'input_video', video_url: address },
      { kind: 'video', source: byAddress },
    ],
    [
      { type: 'refusal', refusal: 'No.' },
      { kind: 'refusal', text: 'No.' },
    ],
    [{ type: 'refusal' }, { kind: 'refusal', text: '' }],
  ])('has the block %j as %j', (block, part) => {
    expect(readBlocks([block])).toStrictEqual([part])
  })

  it.each<JsonObject>([
    { text: 'a' },
    { type: 'input_text' },
    { type: 'input_text', text: '' },
    { type: 'input_image' },
    { type: 'input_image', image_url: {} },
    { type: 'input_file', filename: 'a.pdf' },
    { type: 'input_audio' },
    { type: 'input_audio', input_audio: { format: 'mp3' } },
    { type: 'input_video' },
  ])('has nothing of the block %j', (block) => {
    expect(readBlocks([block])).toEqual([])
  })

  it.each([
    ['data:image/png;base64,AAAA', { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }],
    ['DATA:Image/PNG;BASE64,AAAA', { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }],
    ['data:image/png;name=a;base64,AAAA', { kind: 'data', mediaType: 'image/png', base64: 'AAAA' }],
    ['data:;base64,AAAA', { kind: 'data', mediaType: '', base64: 'AAAA' }],
    ['data:text/plain,Hello', { kind: 'url', url: 'data:text/plain,Hello' }],
    ['data:image/png;base64', { kind: 'url', url: 'data:image/png;base64' }],
    ['data:image/png;base64;', { kind: 'url', url: 'data:image/png;base64;' }],
    ['data:image/png;base64;name=a,AAAA', { kind: 'url', url: 'data:image/png;base64;name=a,AAAA' }],
    ['data:base64,AAAA', { kind: 'url', url: 'data:base64,AAAA' }],
    ['https://a.example/data:;base64,AAAA', { kind: 'url', url: 'https://a.example/data:;base64,AAAA' }],
  ])('has the image %s as %j', (url, source) => {
    expect(readBlocks([{ type: 'input_image', image_url: url }])).toEqual([{ kind: 'image', source }])
  })
})

describe('what a tool gave', () => {
  it.each<[JsonValue | undefined, unknown[]]>([
    [undefined, []],
    [null, []],
    ['', []],
    ['Done', [{ kind: 'text', text: 'Done' }]],
    [5, [{ kind: 'text', text: '5' }]],
    [{ ok: true }, [{ kind: 'text', text: '{"ok":true}' }]],
    [['a'], [{ kind: 'text', text: '["a"]' }]],
    [
      [{ type: 'input_text', text: 'a' }, { type: 5 }],
      [{ kind: 'text', text: '[{"type":"input_text","text":"a"},{"type":5}]' }],
    ],
    [[null], [{ kind: 'text', text: '[null]' }]],
    [
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: address },
        { type: 'input_file', file_url: address },
        { type: 'input_audio', input_audio: { data: 'UklG' } },
        { type: 'refusal', refusal: 'No.' },
      ],
      [
        { kind: 'text', text: 'a' },
        { kind: 'image', source: byAddress },
        { kind: 'file', source: byAddress },
      ],
    ],
  ])('%j is read as %j', (output, parts) => {
    expect(readToolOutput(output)).toEqual(parts)
  })
})
