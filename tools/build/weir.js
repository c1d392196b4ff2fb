#!/usr/bin/env node
import './require-node.js'
import { mapStacks } from './map-stacks.js'

// Compiled modules stay valid if the package is moved or copied, for the same Node version and user.
process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1'
mapStacks()

// A static import would be evaluated before the version check.
import('../server/weir.js')
