import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'

/** The bytes of a video, or the requested range. */
export function serveMovie({ headers }: MediaCall, movie: Buffer): MediaAnswer {
  const common = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' }
  if (headers.range === undefined) return { headers: common, body: movie }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range) ?? []
  const start = first === '' ? Math.max(0, movie.length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? movie.length - 1 : Math.min(Number(last), movie.length - 1)
  if ((first === '' && last === '') || start > end) {
    return { status: 416, headers: { ...common, 'content-range': `bytes */${movie.length}` } }
  }
  const range = { 'content-range': `bytes ${start}-${end}/${movie.length}` }
  return { status: 206, headers: { ...common, ...range }, body: movie.subarray(start, end + 1) }
}

/** A file with a video header and no video. */
export function tinyMovie(byteCount = 4_096): Buffer {
  const head = Buffer.from([0, 0, 0, 24])
  const movie = Buffer.concat([
    head,
    Buffer.from('ftypisom\x00\x00\x02\x00isomiso2mp41', 'latin1'),
    Buffer.alloc(byteCount),
  ])
  for (let at = 28; at < movie.length; at += 1) movie[at] = at % 251
  return movie.subarray(0, Math.max(28, byteCount))
}
