import { describe, expect, it } from 'vitest'
import { createThinkTags, splitThinking } from './think-tags.ts'

function read(pieces: readonly string[]) {
  const tags = createThinkTags()
  const parts = [...pieces.map((piece) => splitThinking(tags, piece, false)), splitThinking(tags, '', true)]
  return {
    reasoning: parts.map(({ reasoning }) => reasoning).join(''),
    content: parts.map(({ content }) => content).join(''),
  }
}

describe('thinking in tags', () => {
  const text = '\n<think>Why < how </thin?</think>\n\nSo <think> is a tag.'
  const parted = { reasoning: 'Why < how </thin?', content: 'So <think> is a tag.' }

  it('is taken out however the text is cut', () => {
    expect(read([text])).toEqual(parted)
    expect(read([...text])).toEqual(parted)
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(parted)
    }
  })

  it('loses no text without tags, and none of a tag that was never finished', () => {
    for (const whole of ['Hello', '<', '<thin', ' <b>', '  ', '']) {
      expect(read([...whole])).toEqual({ reasoning: '', content: whole })
    }
    expect(read(['<think>', 'a</thi'])).toEqual({ reasoning: 'a</thi', content: '' })
  })
})
