import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'

export const schemaFile = join(repositoryRoot, 'server/sql/schema.sql')
