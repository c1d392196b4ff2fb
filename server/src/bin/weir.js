#!/usr/bin/env node
import './require-node.js'

// Imported only now, because a static import would be read before the version is judged.
import('./weir.ts')
