/** The media type of a speech format, for upstreams that do not say it themselves. */
export function speechTypeOf(format: string | null): string {
  return types.get(format ?? 'mp3') ?? 'application/octet-stream'
}

const types: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])
