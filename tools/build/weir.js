#!/usr/bin/env node
import './require-node.js'
import { mapStacks } from './map-stacks.js'

// Compiled modules stay valid where the package is moved or copied, for the same Node and user.
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1'
mapStacks()

// Imported only now, because a static import would be read before the version is judged.
import('../server/weir.js')
