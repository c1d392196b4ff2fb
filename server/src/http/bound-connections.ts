/** The client's connection and the upstream's connection. */
const filesPerConnection = 2
/** For Postgres, Redis, the log and other open files. */
const filesKept = 200

/**
 * The maximum number of connections. A process that runs out of file descriptors cannot reach any provider and would
 * open all circuits, so it rejects further clients before that.
 */
export function boundConnections(
  wanted: number,
  { filesMax, warn }: { filesMax: number | null; warn: (message: string) => void },
): number {
  if (filesMax === null) return wanted
  const possible = Math.max(1, Math.floor((filesMax - filesKept) / filesPerConnection))
  if (possible >= wanted) return wanted
  warn(
    `http.connectionsMax is ${wanted}, but this process can only open ${filesMax} files, so it accepts ${possible} connections; raise the open-file limit`,
  )
  return possible
}
