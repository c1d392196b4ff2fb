#!/usr/bin/env node
import './require-node.js'

// A dynamic import, because a static import would be loaded before the version check.
import('./weir.ts')
