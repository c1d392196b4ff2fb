import { describe, expect, it } from 'vitest'
import { orderOfForm } from './order-of-form.ts'

describe('an order for a video in a form', () => {
  it('is the same as in JSON, with the names of the SDK', () => {
    const fields = {
      model: 'maker/film',
      prompt: 'A weir in the fog',
      seconds: '8',
      size: '1280x720',
      seed: '7',
      generate_audio: 'false',
      watermark: 'true',
      'input_reference[image_url]': 'https://a.example/who.png',
    }
    expect(orderOfForm(fields)).toEqual({
      model: 'maker/film',
      prompt: 'A weir in the fog',
      duration: 8,
      size: '1280x720',
      seed: 7,
      generate_audio: false,
      watermark: true,
      input_references: ['https://a.example/who.png'],
    })
  })

  it('leaves what is no number or flag as it is, and takes its own names first', () => {
    expect(orderOfForm({ duration: '5', seconds: '8', seed: '-1', watermark: 'yes' })).toEqual({
      duration: 5,
      seed: '-1',
      watermark: 'yes',
    })
    expect(orderOfForm({ prompt: '5' })).toEqual({ prompt: '5' })
  })
})
