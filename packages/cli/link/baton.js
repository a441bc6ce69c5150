#!/usr/bin/env node
/**
 * Link: the command `baton` for a crew that `baton init` wrote.
 *
 * Its manifest names no dependencies, so that installing it never fetches a package of any name from anywhere.
 */
import "../bin/baton.js";
