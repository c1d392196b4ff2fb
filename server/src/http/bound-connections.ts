/** A client's connection, and the one to its provider. */
const filesPerConnection = 2
/** For the engines, the log and whatever else is open. */
const filesKept = 200

/**
 * How many connections to take. A process that runs out of files can reach no provider and takes all of them for
 * broken, so it refuses further clients before.
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
