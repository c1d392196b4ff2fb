/** Folders for files that live no longer than their request. */
export interface TemporaryFolders {
  make(): Promise<string>
  remove(folder: string): Promise<void>
}
