/** The audio type by the first bytes, or undefined if it is none of these. */
export function sniffAudio(head: Buffer): AudioType | undefined {
  const text = head.toString('latin1', 0, 12)
  if (text.startsWith('RIFF') && text.slice(8) === 'WAVE') return 'audio/wav'
  if (text.startsWith('OggS')) return 'audio/ogg'
  if (text.startsWith('fLaC')) return 'audio/flac'
  if (text.slice(4, 8) === 'ftyp') return 'audio/mp4'
  if (head.subarray(0, 4).equals(matroskaMark)) return 'audio/webm'
  return text.startsWith('ID3') || isMpegFrame(head) ? 'audio/mpeg' : undefined
}

type AudioType = 'audio/wav' | 'audio/mpeg' | 'audio/ogg' | 'audio/flac' | 'audio/webm' | 'audio/mp4'

const matroskaMark = Buffer.from('1a45dfa3', 'hex')

// Eleven set bits, then a version and a layer, each with one invalid value (layer 0 is AAC's).
function isMpegFrame([first = 0, second = 0]: Buffer): boolean {
  const version = (second >> 3) & 0b11
  const layer = (second >> 1) & 0b11
  return first === 0xff && second >= 0xe0 && version !== 0b01 && layer !== 0b00
}
